/**
 * Claude Code's settings with our hooks and our status line in them, or without. Nothing else of them is touched.
 */
import { Predicate, Result } from "effect"

/** The events that the hook serves. None has a matcher: one that lists sources misses the next one. */
export const events = ["SessionStart", "UserPromptSubmit", "SubagentStop"] as const

/** What a person wants in there. */
export interface Wanted {
  readonly hook: string
  readonly statusLine: string
}

export type Json = null | boolean | number | string | ReadonlyArray<Json> | Settings
export type Settings = { readonly [key: string]: Json }

/**
 * The settings in a text, or why they cannot be changed without losing something.
 */
export const parse = (text: string): Result.Result<Settings, string> => {
  if (text.trim() === "") return Result.succeed({})
  let parsed: Json
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    return Result.fail(`it is no JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (!isObject(parsed)) return Result.fail("it is no JSON object")
  if (!isKept(text, parsed)) return Result.fail("a key stands in it twice, or a number that cannot be kept exactly")
  const { hooks } = parsed
  if (hooks !== undefined && !isObject(hooks)) return Result.fail('its "hooks" are no JSON object')
  const odd = events.find((event) => hooks?.[event] !== undefined && !Array.isArray(hooks[event]))
  return odd === undefined ? Result.succeed(parsed) : Result.fail(`its "hooks.${odd}" is no list`)
}

const isObject = (json: Json | undefined): json is Settings => Predicate.isObject(json)

/** Whether printing what was parsed gives back every key and every value of the text. */
const isKept = (text: string, parsed: Json): boolean => {
  const tokens = (json: string) => json.match(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[{}[\],:]/g) ?? []
  const [before, after] = [tokens(text), tokens(JSON.stringify(parsed))]
  return (
    before.length === after.length &&
    before.every((token, index) => {
      const other = after[index] ?? ""
      return token === other || (/^["-]|^\d.*[.eE]/.test(token) && JSON.parse(token) === JSON.parse(other))
    })
  )
}

/** As its owner indents it. */
export const print = (settings: Settings, before: string): string => {
  const [, indent = "  "] = /^\{\r?\n([ \t]+)"/.exec(before) ?? []
  return `${JSON.stringify(settings, null, indent)}\n`
}

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

const list = (json: Json | undefined): ReadonlyArray<Json> => (Array.isArray(json) ? json : [])

/** In a group of its own without a matcher, whatever the groups of others match. */
const withHook = (groups: ReadonlyArray<Json>, command: string): ReadonlyArray<Json> => {
  const mine: Json = { hooks: [{ type: "command", command }] }
  const at = groups.findIndex(isMine)
  if (at === -1) return [...without(groups), mine]
  return groups.flatMap((group, index) => (index === at ? [mine] : without([group])))
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

/** The settings without anything of ours. */
export const remove = (settings: Settings): Settings => {
  const { hooks, statusLine, ...rest } = settings
  const others = Object.entries(isObject(hooks) ? hooks : {}).flatMap(
    ([event, groups]): ReadonlyArray<[string, Json]> => {
      if (!Array.isArray(groups)) return [[event, groups]]
      const left = without(groups)
      return left.length === 0 && groups.length > 0 ? [] : [[event, left]]
    }
  )
  const isEmptied = others.length === 0 && isObject(hooks) && Object.keys(hooks).length > 0
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
