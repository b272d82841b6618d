/**
 * What a prune says of a link file that it had planned to move.
 */
import { Effect, Layer } from "effect"
import { LinkWriter, type PrunePlan, SessionLinks, SessionStore, SidecarReader } from "../../src/internal.ts"
import * as SavingsLedger from "../../src/links/SavingsLedger.ts"
import type { Texts } from "./Said.ts"

const year = 365 * 24 * 60 * 60 * 1000
const file = "/r/usage/session-links/harbor"
const content = (text: string) => ({ bytes: new TextEncoder().encode(text), modifiedAt: 0 })

type Files = Map<string, ReturnType<typeof content>>

/** What becomes of the one planned file, when `meanwhile` is done between plan and move. */
const outcomeAfter = (meanwhile: (files: Files) => void): Effect.Effect<PrunePlan.Outcome | undefined> => {
  const files: Files = new Map([[file, content("one\n")]])
  const at = { root: "/r", files }
  return Effect.gen(function* () {
    const plan = yield* SessionLinks.planPrune({ now: year })
    meanwhile(files)
    return (yield* SessionLinks.applyPrune(plan))[0]
  }).pipe(
    Effect.provide(
      Layer.mergeAll(
        SidecarReader.layerMemory(at),
        LinkWriter.layerMemory(at),
        SavingsLedger.layerMemory(at),
        SessionStore.layerNone
      )
    )
  )
}

const say = (outcome: PrunePlan.Outcome | undefined): string => {
  switch (outcome?._tag) {
    case undefined:
      return "(nothing was planned)"
    case "Moved":
      return `${outcome.managedId}: (moved)`
    case "Kept":
      return `${outcome.managedId}: kept, ${outcome.because}`
  }
}

/** What is said, by what happened meanwhile. */
export const prune: Effect.Effect<Texts> = Effect.map(
  Effect.all({
    nothing: outcomeAfter(() => {}),
    "the file has gone": outcomeAfter((files) => files.delete(file)),
    "another id was linked": outcomeAfter((files) => files.set(file, content("one\ntwo\n")))
  }),
  (outcomes) => Object.fromEntries(Object.entries(outcomes).map(([name, outcome]) => [name, say(outcome)]))
)
