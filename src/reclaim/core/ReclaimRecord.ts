/**
 * What is written beside a worktree that is moved aside: the reason of its lock, and the file at its old path. Both are
 * printed and read here alone.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Text from "../../shared/core/Text.ts"
import * as Timestamp from "../../shared/core/Timestamp.ts"

/**
 * All that is needed to put a worktree back as it was.
 */
export interface ReclaimRecord {
  /** Names the directory that it lies in and the refs that keep its commits. */
  readonly name: string
  /** Where it was. */
  readonly path: string
  readonly branch: string | undefined
  readonly head: string
  /** When it was moved, in milliseconds since the epoch. */
  readonly at: number
  /** Whether only being settled let it pass, so that it is kept longer. */
  readonly settledOnly: boolean
  /** The reason of the lock that a harness left on it. */
  readonly priorLock: string | undefined
}

const prefix = "session-liveness moved this worktree aside: "

const Payload = Schema.fromJsonString(
  Schema.Struct({
    name: Schema.NonEmptyString.check(
      Schema.makeFilter((name) => /^[A-Za-z0-9_-]+$/.test(name) || "is no name of ours")
    ),
    path: Schema.NonEmptyString,
    branch: Schema.optional(Schema.String),
    head: Schema.String.check(Schema.makeFilter((head) => /^[0-9a-f]{40,64}$/.test(head) || "is no commit")),
    at: Schema.String.check(
      Schema.makeFilter((at) => Timestamp.parseRfc3339(at) !== undefined || "is no RFC 3339 instant")
    ),
    settled_only: Schema.Boolean,
    prior_lock: Schema.optional(Schema.String)
  })
)

const decode = Schema.decodeUnknownOption(Payload)

/**
 * The reason of our lock, on one line.
 */
export const printLock = (record: ReclaimRecord): string =>
  prefix +
  JSON.stringify({
    name: record.name,
    path: record.path,
    branch: record.branch,
    head: record.head,
    at: new Date(record.at).toISOString(),
    settled_only: record.settledOnly,
    prior_lock: record.priorLock
  })

/**
 * The record in the reason of a lock; none when the lock is not ours.
 */
export const parseLock = (reason: string): Option.Option<ReclaimRecord> =>
  reason.startsWith(prefix)
    ? Option.map(decode(reason.slice(prefix.length)), ({ settled_only, prior_lock, at, ...record }) => ({
        name: record.name,
        path: record.path,
        branch: record.branch,
        head: record.head,
        at: Timestamp.parseRfc3339(at) ?? NaN,
        settledOnly: settled_only,
        priorLock: prior_lock
      }))
    : Option.none()

/**
 * The text of the file at the old path: what happened, where the worktree went, and how to get it back. A tool that would
 * make the directory anew fails on it instead of working in the repository around it.
 */
export const printTombstone = (record: ReclaimRecord, aside: string): string =>
  [
    "A git worktree stood here. Nothing of it was deleted: it was moved aside, because no session used it any more.",
    "",
    `moved at:  ${new Date(record.at).toISOString()}`,
    `from:      ${Text.escape(record.path)}`,
    `to:        ${Text.escape(aside)}`,
    `branch:    ${record.branch === undefined ? `none, HEAD was ${record.head}` : Text.escape(record.branch)}`,
    "",
    "To put it back: `Reclaim.restore` with the path of this file, or `node examples/sweep.ts --restore` with it in a",
    "checkout of session-liveness.",
    "By hand: remove this file, then",
    `  git -C ${quote(repositoryOf(aside))} worktree unlock ${quote(aside)}`,
    `  git -C ${quote(repositoryOf(aside))} worktree move ${quote(aside)} ${quote(record.path)}`,
    ...(record.branch === undefined
      ? []
      : [`  git -C ${quote(record.path)} switch ${quote(shortBranch(record.branch))}`]),
    "",
    `${mark}${JSON.stringify({ name: record.name, aside })}`,
    ""
  ].join("\n")

/**
 * The name and the place that such a file tells; none when it is no file of ours.
 */
export const parseTombstone = (text: string): Option.Option<{ readonly name: string; readonly aside: string }> => {
  // What comes before it holds names, which may hold anything.
  const line = text.split("\n").findLast((line) => line.startsWith(mark))
  return line === undefined ? Option.none() : decodeMark(line.slice(mark.length))
}

const mark = "session-liveness: "

const decodeMark = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ name: Schema.NonEmptyString, aside: Schema.NonEmptyString }))
)

/**
 * A name for a worktree that is moved at `at`: the instant and git's own name for it, which no other worktree of the
 * repository has, fit for a ref and a file.
 */
export const nameOf = (adminDirectory: string, at: number): string => {
  const id = adminDirectory.slice(adminDirectory.lastIndexOf("/") + 1).replaceAll(/[^A-Za-z0-9_-]+/g, "-")
  return `${new Date(at).toISOString().replaceAll(/[-:.]/g, "")}-${id.slice(0, 100)}`
}

/** Whatever lies aside lies in a directory of the repository's common directory. */
const repositoryOf = (aside: string): string => aside.split("/").slice(0, -2).join("/")

const shortBranch = (branch: string): string => branch.replace(/^refs\/heads\//, "")

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
