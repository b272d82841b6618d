/**
 * Claude Code's settings with our hooks and our status line in them, or without. Nothing else of them is touched.
 */
import { Result } from "effect"
import * as JsonText from "./JsonText.ts"

/** The events that the hook serves. None has a matcher: one that lists sources misses the next one. */
const events = ["SessionStart", "UserPromptSubmit", "SubagentStop"] as const

/** What a person wants in there. */
export interface Wanted {
  readonly hook: string
  readonly statusLine: string
}

type Json = JsonText.Json
export type Settings = JsonText.JsonObject

/** Settings and how they are written. */
export interface Written {
  readonly text: string
  readonly json: JsonText.JsonText
  readonly settings: Settings
}

/** The settings in a text, or why they cannot be changed. */
export const parse = (text: string): Result.Result<Written, string> =>
  Result.flatMap(JsonText.parse(text), (json) => {
    const { value } = json.root
    if (!isObject(value)) return Result.fail("it is no JSON object")
    const { hooks } = value
    if (hooks !== undefined && !isObject(hooks)) return Result.fail('its "hooks" are no JSON object')
    const odd = events.find((event) => hooks?.[event] !== undefined && !Array.isArray(hooks[event]))
    return odd === undefined
      ? Result.succeed({ text, json, settings: value })
      : Result.fail(`its "hooks.${odd}" is no list`)
  })

const { isObject } = JsonText

const ours = { hook: "session-liveness-hook", statusLine: "session-liveness-status-line" }

const runs = (json: Json | undefined, program: string): boolean =>
  isObject(json) && typeof json["command"] === "string" && json["command"].includes(program)

/**
 * The settings with these commands: ours of before are replaced where they stand, and a status line of somebody else stays.
 */
export const add = (settings: Settings, { hook, statusLine }: Wanted): Settings => {
  const hooks = isObject(settings["hooks"]) ? settings["hooks"] : {}
  const added = events.map((event) => [event, withHook(list(hooks[event]), hook)] as const)
  const mine = { type: "command", command: statusLine }
  const isMine = settings["statusLine"] === undefined || runs(settings["statusLine"], ours.statusLine)
  return {
    ...settings,
    hooks: { ...hooks, ...Object.fromEntries(added) },
    ...(isMine ? { statusLine: isObject(settings["statusLine"]) ? { ...settings["statusLine"], ...mine } : mine } : {})
  }
}

/** The text with these commands; the same text where they stand in it already. */
export const printAdded = ({ json, settings }: Written, wanted: Wanted): string =>
  JsonText.print(json, add(settings, wanted))

const list = (json: Json | undefined): ReadonlyArray<Json> => (Array.isArray(json) ? json : [])

/** In a group of its own without a matcher, whatever the groups of others match. */
const withHook = (groups: ReadonlyArray<Json>, command: string): ReadonlyArray<Json> => {
  const mine: Json = { type: "command", command }
  const at = groups.findIndex(isMine)
  if (at === -1) return [...without(groups), { hooks: [mine] }]
  return groups.flatMap((group, index) => {
    if (index !== at || !isObject(group)) return without([group])
    const [before] = list(group["hooks"])
    return [{ ...group, hooks: [isObject(before) ? { ...before, ...mine } : mine] }]
  })
}

const isMine = (group: Json): boolean =>
  isObject(group) &&
  group["matcher"] === undefined &&
  list(group["hooks"]).length === 1 &&
  runs(list(group["hooks"])[0], ours.hook)

/** The groups without our hooks; one that held nothing else goes. */
const without = (groups: ReadonlyArray<Json>): ReadonlyArray<Json> =>
  groups.flatMap((group): ReadonlyArray<Json> => {
    if (!isObject(group)) return [group]
    const before = list(group["hooks"])
    const hooks = before.filter((hook) => !runs(hook, ours.hook))
    if (hooks.length === before.length) return [group]
    return hooks.length === 0 ? [] : [{ ...group, hooks }]
  })

/** The settings without anything of ours. What was empty before, if that is known, stays there empty. */
export const remove = (settings: Settings, before: Settings = {}): Settings => {
  const { hooks, statusLine, ...rest } = settings
  const empty = isObject(before["hooks"]) ? before["hooks"] : {}
  const others = Object.entries(isObject(hooks) ? hooks : {}).flatMap(
    ([event, groups]): ReadonlyArray<[string, Json]> => {
      if (!Array.isArray(groups)) return [[event, groups]]
      const left = without(groups)
      return left.length === 0 && groups.length > 0 && empty[event] === undefined ? [] : [[event, left]]
    }
  )
  const isEmptied =
    others.length === 0 && isObject(hooks) && Object.keys(hooks).length > 0 && before["hooks"] === undefined
  return {
    ...keepingOrder(settings, {
      ...rest,
      ...(hooks === undefined || isEmptied ? {} : { hooks: isObject(hooks) ? Object.fromEntries(others) : hooks }),
      ...(statusLine === undefined || runs(statusLine, ours.statusLine) ? {} : { statusLine })
    })
  }
}

const keepingOrder = (before: Settings, after: Settings): Settings =>
  Object.fromEntries(Object.keys(before).flatMap((key) => (key in after ? [[key, after[key] ?? null]] : [])))

/** Whether the status line is somebody else's. */
export const hasOtherStatusLine = ({ statusLine }: Settings): boolean =>
  statusLine !== undefined && !runs(statusLine, ours.statusLine)

/** Whether anything of ours is in there. */
export const hasOurs = (settings: Settings): boolean => JSON.stringify(remove(settings)) !== JSON.stringify(settings)

/** Our commands in there, where a hook is among them. */
export const commands = ({ hooks, statusLine }: Settings): Wanted | undefined => {
  const hook = events
    .flatMap((event) => list(isObject(hooks) ? hooks[event] : undefined))
    .flatMap((group) => (isObject(group) ? list(group["hooks"]) : []))
    .find((hook) => runs(hook, ours.hook))
  return hook === undefined ? undefined : { hook: commandOf(hook), statusLine: commandOf(statusLine) }
}

const commandOf = (json: Json | undefined): string => (isObject(json) ? String(json["command"]) : "")

/** What follows our programs in there: what a person chose in an earlier `setup`. */
export const chosen = (settings: Settings): Wanted | undefined => {
  const found = commands(settings)
  return found && { hook: flagsAfter(found.hook, ours.hook), statusLine: flagsAfter(found.statusLine, ours.statusLine) }
}

const flagsAfter = (command: string, program: string): string =>
  new RegExp(`${program}(?:\\.js)?['"]?\\s+(.*)$`, "s").exec(command)?.[1] ?? ""
