import { Effect } from "effect"
import { SessionLinks, Siblings } from "session-liveness"
import { harbor, orchard } from "./Cast.ts"
import { type Act, hook, save, say, statusLine } from "./Stage.ts"

/** Sessions side by side never see each other's figure. */
export const alongside: Act = {
  title: "A second managed session, orchard, works in the next pane",
  play: Effect.gen(function* () {
    yield* hook(orchard.id, orchard.first)
    yield* save(orchard.first, 0.4)
    yield* hook(orchard.id, orchard.second)
    yield* save(orchard.second, 0.7)
    yield* statusLine(orchard.first, "0.40 + 0.70, the two ids of orchard")
    yield* statusLine(harbor.third, "the three ids of harbor, as before")
  })
}

/** Where two answers are possible, none is given. */
export const ambiguous: Act = {
  title: "A hook that was set up wrongly links an id of orchard to harbor too",
  play: Effect.gen(function* () {
    yield* hook(harbor.id, orchard.first)
    yield* say(
      "siblings",
      Siblings.$match(yield* SessionLinks.siblings(orchard.first), {
        NotLinked: () => "none",
        Linked: ({ managedId }) => `those of ${managedId}`,
        Ambiguous: ({ managedIds }) => `ambiguous, the link files of ${managedIds.join(" and ")} both list it`
      })
    )
    yield* statusLine(orchard.first, "its own rows alone, never another session's figure")
  })
}
