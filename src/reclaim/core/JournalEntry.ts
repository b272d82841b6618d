/**
 * What the journal holds of one repository: the worktrees that we reclaim, and those that we have put back.
 */
import * as Schema from "effect/Schema"
import type { ReclaimRecord } from "./ReclaimRecord.ts"
import * as SlimEntry from "./SlimEntry.ts"

/**
 * What tells one directory from another that took its name. Device numbers change at a mount. `birth` is in milliseconds
 * since the epoch; `null` where the file system does not keep it.
 */
export interface Identity {
  readonly inode: string
  readonly birth: number | null
}

export const isSame = (one: Identity, other: Identity | undefined): boolean =>
  one.inode === other?.inode && one.birth === other.birth

/**
 * A worktree that is being reclaimed or lies reclaimed.
 */
export interface JournalEntry {
  readonly repository: Identity
  /** The common git directory, where it was when this was written. */
  readonly commonDirectory: string
  readonly tree: Identity
  /** The name of its admin directory. */
  readonly adminName: string
  readonly record: ReclaimRecord
  /** When it began to be put back, in milliseconds since the epoch. */
  readonly restoringSince: number | undefined
}

/**
 * A worktree that we have put back, and when.
 */
export interface Restoration {
  readonly repository: Identity
  readonly tree: Identity
  readonly at: number
}

/**
 * Regenerable directories that are on their way out of a worktree.
 */
export interface Slim {
  readonly repository: Identity
  readonly entry: SlimEntry.SlimEntry
}

export interface Journal {
  readonly entries: ReadonlyArray<JournalEntry>
  readonly restorations: ReadonlyArray<Restoration>
  readonly slims: ReadonlyArray<Slim>
}

export const empty: Journal = { entries: [], restorations: [], slims: [] }

const Identity = Schema.Struct({ inode: Schema.NonEmptyString, birth: Schema.NullOr(Schema.Finite) })

/** A segment of a path, and of a ref. */
const Name = Schema.String.check(Schema.makeFilter((name) => /^[^/\0]+$/.test(name) && !/^\.\.?$/.test(name)))

const Absolute = Schema.String.check(Schema.makeFilter((path) => path.startsWith("/")))

const Host = { host: Schema.NullOr(Schema.String), repository: Identity }

const Stored = Schema.Struct({
  entries: Schema.Array(
    Schema.Struct({
      ...Host,
      commonDirectory: Absolute,
      tree: Identity,
      adminName: Name,
      record: Schema.Struct({
        name: Schema.String.check(Schema.makeFilter((name) => /^[A-Za-z0-9_-]+$/.test(name))),
        path: Absolute,
        branch: Schema.UndefinedOr(Schema.NonEmptyString).pipe(Schema.optional),
        head: Schema.String.check(Schema.makeFilter((head) => /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(head))),
        at: Schema.Finite,
        settledOnly: Schema.Boolean,
        priorLock: Schema.optional(Schema.String)
      }),
      restoringSince: Schema.optional(Schema.Finite)
    })
  ),
  restorations: Schema.Array(Schema.Struct({ ...Host, tree: Identity, at: Schema.Finite })),
  slims: Schema.Array(Schema.Struct({ ...Host, entry: SlimEntry.SlimEntry }))
})

/**
 * A journal as it is written: what other hosts have written into it stays.
 */
export type Stored = typeof Stored.Type

const codec = Schema.fromJsonString(Stored)

export const decode = Schema.decodeUnknownResult(codec)
export const encode = Schema.encodeSync(codec)

/**
 * What counts on one host.
 */
export const of = (stored: Stored, host: string | null): Journal => ({
  entries: stored.entries
    .filter((entry) => entry.host === host)
    .map(({ repository, commonDirectory, tree, adminName, record, restoringSince }) => ({
      repository,
      commonDirectory,
      tree,
      adminName,
      record: { ...record, branch: record.branch, priorLock: record.priorLock },
      restoringSince
    })),
  restorations: stored.restorations
    .filter((restoration) => restoration.host === host)
    .map(({ repository, tree, at }) => ({ repository, tree, at })),
  slims: stored.slims.filter((slim) => slim.host === host).map(({ repository, entry }) => ({ repository, entry }))
})

/**
 * The same with one entry put in the place of what has its name.
 */
export const put = (stored: Stored, host: string | null, entry: JournalEntry): Stored => ({
  ...stored,
  entries: [...stored.entries.filter(isOther(host, entry.record.name)), { host, ...entry }]
})

/**
 * The same without the entry of that name; with `restoration`, of which a tree has one.
 */
export const forget = (stored: Stored, host: string | null, name: string, restoration?: Restoration): Stored => ({
  ...stored,
  entries: stored.entries.filter(isOther(host, name)),
  restorations:
    restoration === undefined
      ? stored.restorations
      : [
          ...stored.restorations.filter((other) => other.host !== host || !isSame(other.tree, restoration.tree)),
          { host, ...restoration }
        ]
})

/**
 * The same with what is on its way out of a worktree, in the place of what was written of it; without it, where nothing is
 * any more.
 */
export const putSlim = (stored: Stored, host: string | null, slim: Slim, isDone: boolean): Stored => {
  const others = stored.slims.filter((other) => other.host !== host || other.entry.name !== slim.entry.name)
  return { ...stored, slims: isDone ? others : [...others, { host, ...slim }] }
}

const isOther = (host: string | null, name: string) => (entry: Stored["entries"][number]) =>
  entry.host !== host || entry.record.name !== name
