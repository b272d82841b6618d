import type { LiveClaims } from "session-liveness"
import { type Benchmark, compare, must, type Side } from "./Bench.ts"
import * as Claims from "./Claims.ts"

export const benchmark: Benchmark = {
  name: "judge",
  about: "judging 1,000 candidates against 10,000 claims, against the same at 100 claims",
  run: async (stage) => {
    const few = Claims.world(100)
    const many = Claims.world(10_000)
    const permitted = Claims.judgeAll(few)
    const judge = (claims: LiveClaims.LiveClaims) =>
      must(Claims.judgeAll(claims) === permitted && permitted > 0, "verdicts that depend on other claims")
    // What is asked for the first time is arranged; a copy has not been.
    const copies = (claims: LiveClaims.LiveClaims): Side => {
      let copy = claims
      return {
        prepare: () => {
          copy = { ...claims, owners: { ...claims.owners, current: new Map(claims.owners.current) } }
        },
        run: () => judge(copy)
      }
    }
    return [
      await compare(stage, {
        what: "1,000 candidates judged against 10,000 claims that are arranged",
        rival: "the same at 100 claims",
        atMost: 2,
        subject: { run: () => judge(many) },
        against: { run: () => judge(few) },
        pairs: 61
      }),
      await compare(stage, {
        what: "the same, the arranging of the claims included",
        rival: "the same at 100 claims",
        atMost: 3,
        subject: copies(many),
        against: copies(few),
        pairs: 31
      })
    ]
  }
}
