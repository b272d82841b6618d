/**
 * Every link there ever was, for decisions that delete.
 */
import * as Data from "effect/Data"
import type { ClaudeId } from "../../shared/core/ClaudeId.ts"
import type * as LinkFile from "./LinkFile.ts"
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
  readonly end: () => LinkHistory
}

/**
 * Begins with no entry.
 */
export const begin = (): Fold => {
  const faults: Array<readonly [name: string, sentence: string]> = []
  const links = new Map<ClaudeId, ReadonlyArray<ManagedId.ManagedId>>()
  /** Only few ids stand in several files. */
  const shared = new Set<ClaudeId>()
  return {
    add: ({ name, content }) => {
      if (!isEntry(name)) return
      const fault = faultOf(name, content)
      if (fault !== undefined) faults.push([name, `"${Text.escape(name)}" ${fault}`])
      else if (ManagedId.is(name) && "ids" in content) {
        // One list for all ids of the file, which most have to themselves.
        const alone = [name]
        for (const id of content.ids) {
          const known = links.get(id)
          if (known === undefined) links.set(id, alone)
          else {
            links.set(id, [...known, name])
            shared.add(id)
          }
        }
      }
    },
    end: () => {
      if (faults.length > 0) {
        faults.sort(([a], [b]) => Text.compare(a, b))
        return Unreadable({ reason: summary(faults.map(([, sentence]) => sentence)) })
      }
      for (const id of shared) links.set(id, [...(links.get(id) ?? [])].sort(Text.compare))
      return Read({ links })
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
  if (content.torn) return "ends in a write that did not finish; heal closes it"
  if (content.damaged > 0) return `holds ${content.damaged} damaged line(s); fix or move the file`
  return undefined
}

const shown = 3

const summary = (faults: ReadonlyArray<string>): string =>
  faults.length <= shown ? faults.join("; ") : `${faults.slice(0, shown).join("; ")}; and ${faults.length - shown} more`
