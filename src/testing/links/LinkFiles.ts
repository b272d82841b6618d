/**
 * A root as a tree of files.
 */
import * as Lines from "../../shared/core/Lines.ts"
import * as Root from "../../shared/core/Root.ts"
import type * as FakeFileSystem from "../FakeFileSystem.ts"
import * as LinkWorld from "./LinkWorld.ts"

/**
 * The world as a tree of files.
 */
export const toTree = (world: LinkWorld.LinkWorld): FakeFileSystem.Tree => {
  const sidecar = Root.sidecar(LinkWorld.root)
  const nodes: Record<string, FakeFileSystem.Node> = {
    [LinkWorld.root]: { dir: true },
    ...nodeAt(Root.ledger(LinkWorld.root), ledgerNode(world.ledger)),
    ...nodeAt(Root.store(LinkWorld.root), storeNode(world.store))
  }
  if (world.directory === "Absent") return nodes
  if (world.directory === "Dangling") return { ...nodes, [sidecar]: { symlink: "/nowhere" } }
  if (world.directory === "NoDirectory") return { ...nodes, [sidecar]: { text: "" } }
  nodes[sidecar] = { dir: true, mode: world.directory === "Forbidden" ? 0 : 0o700 }
  for (const { name, entry } of world.entries) nodes[`${sidecar}/${name}`] = entryNode(entry)
  return nodes
}

/** The bytes of a link file. */
export const toBytes = (file: {
  readonly lines: ReadonlyArray<LinkWorld.Line>
  readonly tail: Uint8Array
}): Uint8Array => Lines.concat([...file.lines.flatMap((line) => [lineBytes(line), newline]), file.tail])

/** The text of a ledger. */
export const ledgerText = (ledger: LinkWorld.Ledger): string =>
  ledger._tag === "File" ? `${ledger.lines.map((line) => `${ledgerLine(line)}\n`).join("")}${ledger.tail}` : ""

const ledgerLine = (line: LinkWorld.LedgerLine): string => {
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

const ledgerNode = (ledger: LinkWorld.Ledger): FakeFileSystem.Node | undefined => {
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

const storeNode = (store: LinkWorld.Store): FakeFileSystem.Node | undefined => {
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

const entryNode = (entry: LinkWorld.Entry): FakeFileSystem.Node => {
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
        mtime: entry.age === "old" ? 0 : LinkWorld.now - 1000
      }
  }
}

const encoder = new TextEncoder()

const newline = encoder.encode("\n")

const lineBytes = (line: LinkWorld.Line): Uint8Array => {
  switch (line._tag) {
    case "Id":
      return encoder.encode(`${line.before}${line.id}${line.after}`)
    case "Nothing":
      return encoder.encode(line.text)
    case "Cancelled":
      return Lines.concat([line.fragment, encoder.encode("\u0018")])
    case "Damage":
      return line.bytes
  }
}
