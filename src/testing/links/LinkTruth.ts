/**
 * The right answers about a root, told from what was done to it, without running the library.
 */
import * as Option from "effect/Option"
import * as ClaudeId from "../../shared/core/ClaudeId.ts"
import * as ManagedId from "../../shared/core/ManagedId.ts"
import type * as LinkWorld from "./LinkWorld.ts"

/**
 * What a reader can know of one entry: nothing, when it is no readable regular file.
 */
export interface Content {
  readonly ids: ReadonlyArray<string>
  /** Neither torn nor damaged. */
  readonly whole: boolean
  readonly torn: boolean
  readonly age: "old" | "young"
}

export const contentOf = (world: LinkWorld.LinkWorld, name: string, hops = 0): Content | undefined => {
  const entry = world.entries.find((candidate) => candidate.name === name)?.entry
  if (entry?._tag === "Link") return hops > world.entries.length ? undefined : contentOf(world, entry.to, hops + 1)
  if (entry?._tag !== "LinkFile" || !entry.readable) return undefined
  return {
    ids: [...new Set(entry.lines.flatMap((line) => (line._tag === "Id" ? [line.id] : [])))],
    torn: entry.tail.length > 0,
    whole: entry.tail.length === 0 && entry.lines.every(({ _tag }) => _tag !== "Damage"),
    age: entry.age
  }
}

/**
 * What no fault may change: the names of the link files that can be read, and what is in them.
 */
export const linkFiles = (world: LinkWorld.LinkWorld): ReadonlyMap<string, Content> =>
  new Map(
    (world.directory === "Present" ? world.entries : []).flatMap(({ name }) => {
      const content = ManagedId.is(name) ? contentOf(world, name) : undefined
      return content === undefined ? [] : [[name, content] as const]
    })
  )

/**
 * The names under which torn files are healed, in order: the first name of each, where links give it several.
 */
export const torn = (world: LinkWorld.LinkWorld): ReadonlyArray<string> => {
  const healed = new Set<string>()
  return [...linkFiles(world)]
    .filter(([, content]) => content.torn)
    .map(([name]) => name)
    .sort((a, b) => (a < b ? -1 : 1))
    .filter((name) => {
      const file = fileOf(world, name)
      return !healed.has(file) && healed.add(file)
    })
}

/** The name at the end of the links that begin at `name`. */
const fileOf = (world: LinkWorld.LinkWorld, name: string): string => {
  const entry = world.entries.find((candidate) => candidate.name === name)?.entry
  return entry?._tag === "Link" ? fileOf(world, entry.to) : name
}

/** The right answer of `linkedClaudeIds`. */
export const linked = (world: LinkWorld.LinkWorld, question: string): ReadonlyArray<string> => {
  const id = Option.getOrUndefined(ClaudeId.parse(question))
  const listing = [...linkFiles(world).values()].filter(({ ids }) => id !== undefined && ids.includes(id))
  return listing.length === 1 ? (listing[0]?.ids ?? []) : []
}

/** The right answer of `linkHistory`: pairs of Claude id and managed id, or none if it cannot be read whole. */
export const history = (world: LinkWorld.LinkWorld): ReadonlySet<string> | undefined => {
  if (world.directory === "Absent") return new Set()
  if (world.directory !== "Present") return undefined
  const pairs = new Set<string>()
  for (const { name } of world.entries) {
    if (name.startsWith(".")) continue
    const content = ManagedId.is(name) ? contentOf(world, name) : undefined
    if (content === undefined || !content.whole) return undefined
    for (const id of content.ids) pairs.add(pair(id, name))
  }
  return pairs
}

/** One link as text. */
export const pair = (claudeId: string, managedId: string): string => JSON.stringify([claudeId, managedId])

/** The names that a prune may move, in order; none when records or ledger cannot be read. */
export const movable = (world: LinkWorld.LinkWorld): ReadonlyArray<string> => {
  const { ledger, store } = world
  if (store._tag !== "File" || (ledger._tag !== "File" && ledger._tag !== "Absent")) return []
  const recorded = new Set([...store.decoded, ...store.undecoded])
  return [...linkFiles(world)]
    .filter(([name, { ids, whole, age }]) => !recorded.has(name) && ids.length > 0 && whole && age === "old")
    .filter(([, { ids }]) => !ids.some((id) => isMentioned(ledger, id)))
    .map(([name]) => name)
    .sort((a, b) => (a < b ? -1 : 1))
}

const isMentioned = (ledger: LinkWorld.Ledger, id: string): boolean =>
  ledger._tag === "File" &&
  (ledger.tail.includes(id) ||
    ledger.lines.some((line) =>
      line._tag === "Garbage" ? line.text.includes(id) : line._tag !== "Nothing" && line.id === id
    ))
