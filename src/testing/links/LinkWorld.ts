/**
 * A root with link files, a ledger and records, described by what was done to it rather than by its bytes, so that what
 * is true of it is known without reading it.
 */
import * as Option from "effect/Option"
import * as ClaudeId from "../../shared/core/ClaudeId.ts"
import * as ManagedId from "../../shared/core/ManagedId.ts"
import * as Root from "../../shared/core/Root.ts"
import type * as FakeFileSystem from "../FakeFileSystem.ts"

/** The root that every world lies under. */
export const root = "/root"

/** The instant at which a world is looked at, in milliseconds since the epoch: long after anything was written. */
export const now = 400 * 24 * 60 * 60 * 1000

/**
 * One line of a link file.
 */
export type Line =
  | { readonly _tag: "Id"; readonly id: string; readonly before: string; readonly after: string }
  | { readonly _tag: "Nothing"; readonly text: string }
  | { readonly _tag: "Cancelled"; readonly fragment: Uint8Array }
  | { readonly _tag: "Damage"; readonly bytes: Uint8Array }

/**
 * One entry of the sidecar directory. `readable: false` is a file without permissions.
 */
export type Entry =
  | {
      readonly _tag: "LinkFile"
      readonly lines: ReadonlyArray<Line>
      /** What stands behind the last newline; a write that did not finish, if there is anything. */
      readonly tail: Uint8Array
      readonly readable: boolean
      readonly age: "old" | "young"
    }
  | { readonly _tag: "Directory" }
  | { readonly _tag: "Fifo" }
  /** A link: to another entry by its name, or to something that cannot be read. */
  | { readonly _tag: "Link"; readonly to: string }

/** How the sidecar directory itself stands. */
export type Directory = "Present" | "Absent" | "Forbidden" | "Dangling" | "NoDirectory"

/**
 * One line of the savings ledger.
 */
export type LedgerLine =
  | { readonly _tag: "Row"; readonly id: string; readonly tokens: number; readonly usd: number }
  | { readonly _tag: "BadRow"; readonly id: string }
  | { readonly _tag: "Garbage"; readonly text: string }
  | { readonly _tag: "Nothing"; readonly text: string }

export type Ledger =
  | { readonly _tag: "Absent" | "Fifo" | "Directory" | "Forbidden" }
  | { readonly _tag: "File"; readonly lines: ReadonlyArray<LedgerLine>; readonly tail: string }

export type Store =
  | { readonly _tag: "Absent" | "Fifo" | "Malformed" | "Forbidden" }
  | { readonly _tag: "File"; readonly decoded: ReadonlyArray<string>; readonly undecoded: ReadonlyArray<string> }

export interface LinkWorld {
  readonly directory: Directory
  /** Names are unique. */
  readonly entries: ReadonlyArray<{ readonly name: string; readonly entry: Entry }>
  readonly ledger: Ledger
  readonly store: Store
}

/**
 * The world as a tree of files.
 */
export const toTree = (world: LinkWorld): FakeFileSystem.Tree => {
  const sidecar = Root.sidecar(root)
  const nodes: Record<string, FakeFileSystem.Node> = {
    [root]: { dir: true },
    ...nodeAt(Root.ledger(root), ledgerNode(world.ledger)),
    ...nodeAt(Root.store(root), storeNode(world.store))
  }
  if (world.directory === "Absent") return nodes
  if (world.directory === "Dangling") return { ...nodes, [sidecar]: { symlink: "/nowhere" } }
  if (world.directory === "NoDirectory") return { ...nodes, [sidecar]: { text: "" } }
  nodes[sidecar] = { dir: true, mode: world.directory === "Forbidden" ? 0 : 0o700 }
  for (const { name, entry } of world.entries) nodes[`${sidecar}/${name}`] = entryNode(entry)
  return nodes
}

/** The bytes of a link file. */
export const toBytes = (file: { readonly lines: ReadonlyArray<Line>; readonly tail: Uint8Array }): Uint8Array =>
  concat([...file.lines.flatMap((line) => [lineBytes(line), newline]), file.tail])

/** The text of a ledger. */
export const ledgerText = (ledger: Ledger): string =>
  ledger._tag === "File" ? `${ledger.lines.map((line) => `${ledgerLine(line)}\n`).join("")}${ledger.tail}` : ""

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

export const contentOf = (world: LinkWorld, name: string, hops = 0): Content | undefined => {
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
export const linkFiles = (world: LinkWorld): ReadonlyMap<string, Content> =>
  new Map(
    (world.directory === "Present" ? world.entries : []).flatMap(({ name }) => {
      const content = ManagedId.is(name) ? contentOf(world, name) : undefined
      return content === undefined ? [] : [[name, content] as const]
    })
  )

/**
 * The names under which torn files are healed, in order: the first name of each, where links give it several.
 */
export const torn = (world: LinkWorld): ReadonlyArray<string> => {
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
const fileOf = (world: LinkWorld, name: string): string => {
  const entry = world.entries.find((candidate) => candidate.name === name)?.entry
  return entry?._tag === "Link" ? fileOf(world, entry.to) : name
}

/** The right answer of `linkedClaudeIds`. */
export const linked = (world: LinkWorld, question: string): ReadonlyArray<string> => {
  const id = Option.getOrUndefined(ClaudeId.parse(question))
  const listing = [...linkFiles(world).values()].filter(({ ids }) => id !== undefined && ids.includes(id))
  return listing.length === 1 ? (listing[0]?.ids ?? []) : []
}

/** The right answer of `linkHistory`: pairs of Claude id and managed id, or none if it cannot be read whole. */
export const history = (world: LinkWorld): ReadonlySet<string> | undefined => {
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
export const movable = (world: LinkWorld): ReadonlyArray<string> => {
  const { ledger, store } = world
  if (store._tag !== "File" || (ledger._tag !== "File" && ledger._tag !== "Absent")) return []
  const recorded = new Set([...store.decoded, ...store.undecoded])
  return [...linkFiles(world)]
    .filter(([name, { ids, whole, age }]) => !recorded.has(name) && ids.length > 0 && whole && age === "old")
    .filter(([, { ids }]) => !ids.some((id) => isMentioned(ledger, id)))
    .map(([name]) => name)
    .sort((a, b) => (a < b ? -1 : 1))
}

const isMentioned = (ledger: Ledger, id: string): boolean =>
  ledger._tag === "File" &&
  (ledger.tail.includes(id) ||
    ledger.lines.some((line) =>
      line._tag === "Garbage" ? line.text.includes(id) : line._tag !== "Nothing" && line.id === id
    ))

const ledgerLine = (line: LedgerLine): string => {
  switch (line._tag) {
    case "Row":
      return JSON.stringify({ session_id: line.id, tokens_saved: line.tokens, cost_saved_usd: line.usd })
    case "BadRow":
      return JSON.stringify({ session_id: line.id, tokens_saved: -1, cost_saved_usd: 1 })
    default:
      return line.text
  }
}

const nodeAt = (path: string, node: FakeFileSystem.Node | undefined): FakeFileSystem.Tree =>
  node === undefined ? {} : { [path]: node }

const ledgerNode = (ledger: Ledger): FakeFileSystem.Node | undefined => {
  switch (ledger._tag) {
    case "Absent":
      return undefined
    case "Fifo":
      return { fifo: true }
    case "Directory":
      return { dir: true }
    case "Forbidden":
      return { text: "", mode: 0 }
    case "File":
      return { text: ledgerText(ledger) }
  }
}

const storeNode = (store: Store): FakeFileSystem.Node | undefined => {
  switch (store._tag) {
    case "Absent":
      return undefined
    case "Fifo":
      return { fifo: true }
    case "Malformed":
      return { text: '{"sessions":{' }
    case "Forbidden":
      return { text: '{"sessions":{}}', mode: 0 }
    case "File":
      return {
        text: JSON.stringify({
          sessions: Object.fromEntries([
            ...store.decoded.map((id) => [id, { id, tmux_name: `tm-${id}` }]),
            ...store.undecoded.map((id) => [id, { id, tmux_name: 7 }])
          ])
        })
      }
  }
}

const entryNode = (entry: Entry): FakeFileSystem.Node => {
  switch (entry._tag) {
    case "Directory":
      return { dir: true }
    case "Fifo":
      return { fifo: true }
    case "Link":
      return { symlink: entry.to }
    case "LinkFile":
      return {
        bytes: toBytes(entry),
        mode: entry.readable ? 0o600 : 0,
        mtime: entry.age === "old" ? 0 : now - 1000
      }
  }
}

const encoder = new TextEncoder()
const newline = encoder.encode("\n")

const lineBytes = (line: Line): Uint8Array => {
  switch (line._tag) {
    case "Id":
      return encoder.encode(`${line.before}${line.id}${line.after}`)
    case "Nothing":
      return encoder.encode(line.text)
    case "Cancelled":
      return concat([line.fragment, encoder.encode("\u0018")])
    case "Damage":
      return line.bytes
  }
}

const concat = (parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let offset = 0
  for (const part of parts) {
    bytes.set(part, offset)
    offset += part.length
  }
  return bytes
}
