/**
 * The two questions of a status line, answered without Effect: a status line starts after every message, and loading a
 * runtime would take longer than the answer. What they say is what `SessionLinks.linkedClaudeIds` and
 * `SavingsLedger.total` say over the layers of this module.
 *
 * @example
 * ```ts
 * import { SavingsTotal } from "session-liveness"
 * import { defaultRoot, StatusLine } from "session-liveness/node"
 *
 * const root = defaultRoot()
 * const segment = SavingsTotal.segment(StatusLine.total({ root }, StatusLine.linkedClaudeIds({ root }, "8d40b7a1")))
 * ```
 */
import type { Dirent } from "node:fs"
import * as ClaudeId from "../shared/core/ClaudeId.ts"
import * as Lines from "../shared/core/Lines.ts"
import * as LinkFile from "../links/core/LinkFile.ts"
import * as ManagedId from "../shared/core/ManagedId.ts"
import * as Root from "../shared/core/Root.ts"
import * as SavingsTotal from "../links/core/SavingsTotal.ts"
import * as Siblings from "../links/core/Siblings.ts"
import * as StoreFault from "../links/core/StoreFault.ts"
import * as Text from "../shared/core/Text.ts"
import * as PlainFiles from "./PlainFiles.ts"

/**
 * Where to look, and who hears what could not be read.
 */
export interface Options {
  readonly root: string
  /** Gets a sentence that quotes names as they are. */
  readonly onFault?: ((message: string) => void) | undefined
}

/**
 * The Claude ids that share a managed session with `claudeId`, itself included. Empty whenever that cannot be told. It
 * gives up after 3 seconds, looking at the clock after every 16 files. Never throws.
 */
export const linkedClaudeIds = (options: Options, claudeId: string): ReadonlyArray<ClaudeId.ClaudeId> => {
  const id = Text.trim(claudeId)
  if (!ClaudeId.is(id)) return []
  const directory = Root.sidecar(options.root)
  return orElse(options, [], () => {
    const inTime = begin(directory)
    const mayList = LinkFile.mayList(id)
    const files: Array<{ readonly managedId: ManagedId.ManagedId; readonly file: LinkFile.LinkFile }> = []
    let read = 0
    for (const entry of entries(directory)) {
      if (!ManagedId.is(entry.name)) continue
      if (read++ % 16 === 0) inTime()
      const bytes = readEntry(`${directory}/${entry.name}`, entry, options)
      if (bytes !== undefined && mayList(bytes)) files.push({ managedId: entry.name, file: LinkFile.parse(bytes) })
    }
    const answer = Siblings.of(id, files)
    return answer._tag === "Linked" ? answer.claudeIds : []
  })
}

/**
 * The sums over the rows of `ids`; zero when the ledger could not be read. It gives up after 3 seconds, looking at the
 * clock after every piece of 64 KiB. Never throws.
 */
export const total = (options: Options, ids: Iterable<string>): SavingsTotal.SavingsTotal =>
  orElse(options, SavingsTotal.zero, () => {
    const path = Root.ledger(options.root)
    const inTime = begin(path)
    const fold = SavingsTotal.begin(ids)
    const text = Lines.decode(fold.push)
    try {
      PlainFiles.readPieces(path, (piece) => {
        inTime()
        text.push(piece)
      })
      text.end()
      return fold.end()
    } catch (cause) {
      const kind = PlainFiles.kindOf(path, cause)
      if (kind === "Missing") return SavingsTotal.zero
      if (cause instanceof Late) throw cause
      throw new Error(StoreFault.inLedger[kind === "NotRegular" ? kind : "Unreadable"](path), { cause })
    }
  })

class Late extends Error {}

const boundSeconds = 3

/** `process.hrtime`, because `performance` is loaded when it is first used. */
const begin = (path: string): (() => void) => {
  const until = process.hrtime.bigint() + BigInt(boundSeconds * 1e9)
  return () => {
    if (process.hrtime.bigint() > until) throw new Late(`${path} was not read within ${boundSeconds} seconds`)
  }
}

const orElse = <A>({ onFault }: Options, fallback: A, answer: () => A): A => {
  try {
    return answer()
  } catch (cause) {
    onFault?.(cause instanceof Error ? cause.message : String(cause))
    return fallback
  }
}

const entries = (directory: string): ReadonlyArray<Dirent> => {
  try {
    return PlainFiles.entries(directory)
  } catch (cause) {
    if (PlainFiles.kindOf(directory, cause) === "Missing") return []
    throw new Error(StoreFault.inSidecar.Unreadable(directory), { cause })
  }
}

/** `undefined`: it has vanished, or could not be read. */
const readEntry = (path: string, entry: Dirent, { onFault }: Options): Uint8Array | undefined => {
  try {
    return PlainFiles.readListed(path, entry)
  } catch (cause) {
    const kind = PlainFiles.kindOf(path, cause)
    if (kind !== "Missing") onFault?.(StoreFault.inSidecar[kind === "Failed" ? "Unreadable" : kind](path))
    return undefined
  }
}
