/**
 * Which link files nobody needs any more.
 */
import type * as LinkFile from "./LinkFile.ts"
import * as ManagedId from "../../shared/core/ManagedId.ts"
import * as Text from "../../shared/core/Text.ts"

/**
 * A link file to be moved into the quarantine, as it was when it was planned.
 */
export interface Move {
  readonly managedId: ManagedId.ManagedId
  readonly claudeIds: ReadonlyArray<string>
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number
}

/**
 * What a prune would do. `refused` says why nothing may be planned at all.
 */
export interface PrunePlan {
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Milliseconds. */
  readonly olderThan: number
  /** The directory beside the sidecar that the files go to. */
  readonly quarantine: string
  readonly moves: ReadonlyArray<Move>
  readonly refused: string | undefined
}

/**
 * A link file as it was read.
 */
export interface Seen {
  readonly managedId: ManagedId.ManagedId
  readonly file: LinkFile.LinkFile
  readonly modifiedAt: number
}

/** How long ago a link file must have been written last, unless set: 30 days in milliseconds. */
export const defaultOlderThan: number = 30 * 24 * 60 * 60 * 1000

/**
 * When a plan is made, and how old a link file has to be.
 */
export interface When {
  readonly now: number
  readonly olderThan: number
}

/**
 * What else knows a managed session or a Claude id: the records and the ledger.
 */
export interface Known {
  readonly recorded: ReadonlySet<string>
  readonly mentioned: ReadonlySet<string>
}

/**
 * Nothing may be planned.
 */
export const refuse = ({ now, olderThan }: When, reason: string): PrunePlan => ({
  now,
  olderThan,
  quarantine: "",
  moves: [],
  refused: reason
})

/**
 * Whether a link file may be moved: no record names it, no ledger row is of one of its ids, it is whole, it holds
 * something, and it was last written longer ago than `olderThan`.
 */
export const isMovable = ({ now, olderThan }: When, seen: Seen, known: Known): boolean =>
  !known.recorded.has(seen.managedId) &&
  seen.file.ids.length > 0 &&
  !seen.file.torn &&
  seen.file.damaged === 0 &&
  !seen.file.ids.some((id) => known.mentioned.has(id)) &&
  now - seen.modifiedAt > olderThan

/**
 * Plans to move every movable file of `seen`, in the order of their names, into a directory named for the instant.
 */
export const plan = ({ now, olderThan }: When, seen: ReadonlyArray<Seen>, known: Known): PrunePlan => ({
  now,
  olderThan,
  quarantine: `session-links-quarantine-${new Date(now).toISOString().replaceAll(/[-:.]/g, "")}`,
  moves: seen
    .filter((entry) => isMovable({ now, olderThan }, entry, known))
    .map(({ managedId, file, modifiedAt }) => ({ managedId, claudeIds: file.ids, modifiedAt }))
    .sort((a, b) => Text.compare(a.managedId, b.managedId)),
  refused: undefined
})

/**
 * What became of one planned move.
 */
export type Outcome =
  | { readonly _tag: "Moved"; readonly managedId: ManagedId.ManagedId }
  | { readonly _tag: "Kept"; readonly managedId: ManagedId.ManagedId; readonly because: string }
