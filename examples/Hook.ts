/**
 * What Claude Code hands a hook on stdin.
 */
import { Data, Effect } from "effect"
import { text } from "node:stream/consumers"
import * as Cli from "./cli.ts"

/** Why the hook did nothing. */
export class Undone extends Data.TaggedError("Undone")<{ readonly message: string }> {}

export const because = (message: string): Undone => new Undone({ message })

/** The event, as far as it is a JSON object. */
export const event: Effect.Effect<Readonly<Record<string, unknown>>, Undone> = Effect.gen(function* () {
  if (process.stdin.isTTY) return yield* because("expected the hook's JSON on stdin, not a terminal")
  const input = yield* Effect.tryPromise({
    try: () => text(process.stdin),
    catch: (error) => because(`stdin could not be read: ${Cli.reasonOf(error)}`)
  })
  const parsed = yield* Effect.try({
    try: (): unknown => JSON.parse(input),
    catch: (error) => because(`expected the hook's JSON on stdin: ${Cli.reasonOf(error)}`)
  })
  if (typeof parsed !== "object" || parsed === null) return yield* because("the hook's JSON is no object")
  return { ...parsed }
})
