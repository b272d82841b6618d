import { NodeFileSystem } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import { ClaimState, LiveClaims, Liveness, Observation, SessionOwners, WorkspaceClaims } from "../src/index.ts"
import * as Cases from "./Cases.ts"
import { tempRoot } from "./TempRoot.ts"

interface Case {
  readonly name: string
  readonly dirs: ReadonlyArray<string>
  readonly files: ReadonlyArray<string>
  readonly symlinks: Readonly<Record<string, string>>
  readonly claims: ReadonlyArray<{
    readonly session: string
    readonly path: string
    readonly liveness: "Live" | "SessionGone"
  }>
  readonly caller: string | null
  readonly candidate: string
  readonly expect: {
    readonly state: string
    readonly permits: boolean
    readonly sessions?: ReadonlyArray<string>
  }
}

const answered = Observation.Answered({ servers: [], names: ["tm-live"] })
const liveness = (which: Case["claims"][number]["liveness"]) =>
  Liveness.livenessOf(answered, { tmuxName: which === "Live" ? "tm-live" : "tm-gone", process: "None" }, 0)

describe("LiveClaims.claimState", () => {
  for (const given of Cases.read<ReadonlyArray<Case>>("claim-state")) {
    it.effect(given.name, () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        const at = (path: string) => path.replace("$R", root)
        for (const dir of given.dirs) fs.mkdirSync(at(dir), { recursive: true })
        for (const file of given.files) fs.writeFileSync(at(file), "")
        for (const [link, target] of Object.entries(given.symlinks)) fs.symlinkSync(at(target), at(link))
        const claims = yield* Effect.forEach(given.claims, (claim) =>
          Effect.map(WorkspaceClaims.locate(at(claim.path)), (place) => ({
            session: claim.session,
            place,
            liveness: liveness(claim.liveness)
          }))
        )
        const candidate = yield* WorkspaceClaims.locate(at(given.candidate))
        for (const order of [claims, claims.toReversed()]) {
          const state = LiveClaims.claimState(
            {
              claims: order,
              owners: SessionOwners.unread(given.caller ?? undefined),
              caller: given.caller ?? undefined,
              observation: answered,
              incomplete: undefined,
              dismissed: []
            },
            candidate
          )
          assert.strictEqual(state._tag, given.expect.state, ClaimState.explain(state))
          assert.strictEqual(ClaimState.permits(state), given.expect.permits)
          if (given.expect.sessions !== undefined) {
            assert.deepStrictEqual(ClaimState.sessions(state), given.expect.sessions)
          }
        }
      }).pipe(Effect.provide(NodeFileSystem.layer))
    )
  }
})
