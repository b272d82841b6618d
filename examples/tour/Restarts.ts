import { Effect } from "effect"
import { type Act, hook, save, statusLine } from "./Stage.ts"
import { harbor } from "./Cast.ts"

/** One managed session outlives the ids that Claude Code mints for it. */
export const start: Act = {
  title: "The managed session harbor starts; Claude Code mints its first id",
  play: Effect.gen(function* () {
    yield* hook(harbor.id, harbor.first)
    yield* save(harbor.first, 0.36)
    yield* statusLine(harbor.first, "its own rows")
  })
}

export const clear: Act = {
  title: "Somebody types /clear; Claude Code mints another id and forgets the old one",
  play: Effect.gen(function* () {
    yield* statusLine(harbor.second, "linked to nothing yet, and no rows of its own")
    yield* hook(harbor.id, harbor.second)
    yield* statusLine(harbor.second, `${harbor.first} is the same managed session`)
    yield* save(harbor.second, 0.21)
    yield* statusLine(harbor.second, "0.36 + 0.21")
  })
}
