/**
 * What Claude Code hands a hook on stdin.
 */
import { Effect } from "effect"
import { because, type Undone } from "./Undone.ts"

/** An event of which nothing is known but that it is a JSON object. */
export type Event = Readonly<Record<string, unknown>>

/** The event. A stdin that stays open is not waited for once what it said is whole. */
export const read: Effect.Effect<Event, Undone> = Effect.callback((resume) => {
  if (process.stdin.isTTY) return resume(Effect.fail(because("expected the hook's JSON on stdin, not a terminal")))
  let text = ""
  process.stdin.setEncoding("utf8")
  process.stdin.on("data", (piece: string) => {
    text += piece
    if (!text.trimEnd().endsWith("}")) return
    const event = parse(text)
    if (event !== undefined) resume(Effect.succeed(event))
  })
  process.stdin.on("error", ({ message }) => resume(Effect.fail(because(`stdin could not be read: ${message}`))))
  process.stdin.on("end", () => {
    const event = parse(text)
    resume(event === undefined ? Effect.fail(because("stdin is no JSON object")) : Effect.succeed(event))
  })
})

const parse = (text: string): Event | undefined => {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : undefined
  } catch {
    return undefined
  }
}

/** A field that holds text. */
export const text = (event: Event, field: string): string | undefined => {
  const value = event[field]
  return typeof value === "string" && value !== "" ? value : undefined
}
