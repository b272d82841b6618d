/**
 * Every link there ever was, for decisions that delete.
 */
import * as Data from "effect/Data"
import type { ClaudeId } from "../../shared/core/ClaudeId.ts"
import * as LinkFile from "./LinkFile.ts"
import { LinkTable } from "./LinkTable.ts"
import * as ManagedId from "../../shared/core/ManagedId.ts"
import * as Text from "../../shared/core/Text.ts"

/**
 * `Absent`: no sidecar lies beside this store, so none was consulted. `Read`: every entry was read whole. `Unreadable`:
 * at least one was not, and a partial history must not pass for a complete one.
 */
export type LinkHistory = Data.TaggedEnum<{
  Absent: {}
  Read: { readonly links: ReadonlyMap<ClaudeId, ReadonlyArray<ManagedId.ManagedId>> }
  Unreadable: { readonly reason: string }
}>

const constructors = Data.taggedEnum<LinkHistory>()
const { Read } = constructors
export const { Absent, Unreadable, $is, $match } = constructors

/**
 * One entry of the sidecar directory: what its bytes say, or why they could not be read whole.
 */
export interface Entry {
  readonly name: string
  readonly content: LinkFile.LinkFile | { readonly unreadable: string }
}

/**
 * Whether an entry of that name belongs to the sidecar at all: dot-files do not.
 */
export const isEntry = (name: string): boolean => !name.startsWith(".")

/**
 * Folds entries of the sidecar directory as they come, in any order: it keeps no more of them than their links.
 */
export interface Fold {
  readonly add: (entry: Entry) => void
  /** The same of an entry that was read whole. */
  readonly addBytes: (name: string, bytes: Uint8Array) => void
  readonly end: () => LinkHistory
}

/**
 * Begins with no entry.
 */
export const begin = (): Fold => {
  const faults: Array<readonly [name: string, sentence: string]> = []
  const links = new LinkTable()
  const add = ({ name, content }: Entry): void => {
    if (!isEntry(name)) return
    const fault = faultOf(name, content)
    if (fault !== undefined) faults.push([name, `"${Text.escape(name)}" ${fault}`])
    else if (ManagedId.is(name) && "ids" in content) links.addIds(name, content.ids)
  }
  return {
    add,
    addBytes: (name, bytes) => {
      if (!ManagedId.is(name) || !links.addFile(name, bytes)) add({ name, content: LinkFile.parse(bytes) })
    },
    end: () => {
      if (faults.length === 0) return Read({ links })
      faults.sort(([a], [b]) => Text.compare(a, b))
      return Unreadable({ reason: summary(faults.map(([, sentence]) => sentence)) })
    }
  }
}

/**
 * Folds the entries of the sidecar directory. The answer does not depend on their order.
 */
export const fromEntries = (entries: Iterable<Entry>): LinkHistory => {
  const fold = begin()
  for (const entry of entries) fold.add(entry)
  return fold.end()
}

const faultOf = (name: string, content: Entry["content"]): string | undefined => {
  if (!ManagedId.is(name)) return "has a name that is no managed id; move it out of the sidecar directory"
  if ("unreadable" in content) return content.unreadable
  if (content.torn) return "ends in a write that did not finish; `session-liveness links heal` closes it"
  if (content.damaged > 0) return `holds ${content.damaged} damaged line(s); fix or move the file`
  return undefined
}

const shown = 3

const summary = (faults: ReadonlyArray<string>): string =>
  faults.length <= shown ? faults.join("; ") : `${faults.slice(0, shown).join("; ")}; and ${faults.length - shown} more`
