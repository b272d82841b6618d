/**
 * What Claude Code's settings were before `setup`.
 */
import { Result } from "effect"
import * as JsonText from "./JsonText.ts"
import * as Settings from "./Settings.ts"

/**
 * The text without anything of ours, or none where there was no file. Where nobody edited it since, it is the very text of the
 * copy that `setup` kept; else ours is taken out of it, and whatever else it says stays.
 */
export const before = (
  now: Settings.Written,
  /** What `setup` changed, the latest first. */
  copies: ReadonlyArray<Settings.Written>
): string | undefined => {
  const stages = [now]
  for (const copy of copies) {
    if (!stages.some((stage) => leadsTo(copy, stage))) continue
    if (!Settings.hasOurs(copy.settings)) return copy.text
    stages.push(copy)
  }
  const original = copies.find(({ settings }) => !Settings.hasOurs(settings))
  const after = Settings.remove(now.settings, original?.settings)
  const oldest = copies.at(-1)
  const wasNone = original === undefined && (oldest === undefined || leadsTo(nothing, oldest))
  return wasNone && Object.keys(after).length === 0 ? undefined : JsonText.print(now.json, after)
}

const nothing = Result.getOrThrow(Settings.parse(""))

/** Whether `setup` made the later text of the earlier. */
const leadsTo = (earlier: Settings.Written, later: Settings.Written): boolean => {
  const commands = Settings.commands(later.settings)
  return commands !== undefined && earlier.text !== later.text && Settings.printAdded(earlier, commands) === later.text
}
