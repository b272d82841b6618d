/**
 * What speaks for a session manager whose records are not the ones that were read.
 */
import type * as SessionRecord from "../../records/core/SessionRecord.ts"
import * as Text from "../../shared/core/Text.ts"
import * as Observation from "./Observation.ts"
import * as SessionName from "./SessionName.ts"

/**
 * The names of managed sessions that no record has and nobody dismissed, in one order.
 */
export const strangers = (
  names: ReadonlyArray<string>,
  { records, undecoded }: SessionRecord.StoredRecords,
  dismissed: ReadonlySet<string>,
  prefixes?: ReadonlyArray<string> | undefined
): ReadonlyArray<string> => {
  const known = new Set<string | undefined>([...records, ...undecoded].map(({ tmuxName }) => tmuxName))
  return names
    .filter((name) => SessionName.isManaged(name, prefixes) && !known.has(name) && !dismissed.has(name))
    .sort(Text.compare)
}

/** A listed session in words. */
export const listed = (name: string): string => `tmux lists the managed session ${JSON.stringify(Text.escape(name))}`

/** A look at tmux that failed, in words. */
export const unseen = (reason: Observation.Reason): string => {
  const { what, settle } = Observation.explain(reason)
  return `it is not known which sessions tmux runs (${what}; to settle it, ${settle})`
}

/** Whose environments name a root, in words: one sentence for each root. */
export const inEnvironments = (
  found: ReadonlyArray<{ readonly pid: number; readonly root: string }>
): ReadonlyArray<string> =>
  Array.from(
    Map.groupBy(
      found.toSorted((a, b) => a.pid - b.pid),
      ({ root }) => root
    ),
    ([root, [first, ...more]]) => {
      const who = more.length === 0 ? `process ${first?.pid} has` : `process ${first?.pid} and ${more.length} more have`
      return `${who} TRUSTY_MPM_ROOT ${JSON.stringify(Text.escape(root))} in the environment`
    }
  )

/**
 * Why every removal is refused where no root was named.
 */
export const refusal = (signs: ReadonlyArray<string>): string =>
  `no root was named, and a session manager may run: ${signs.join(", ")}; name its root with TRUSTY_MPM_ROOT, or dismiss each name that is no manager's with --dismiss NAME`

/**
 * Why every removal is refused where the records do not name these sessions.
 */
export const another = (names: ReadonlyArray<string>): string =>
  `${names.map(listed).join(", ")}, which no record names: another manager may own it; end that session, or dismiss it with --dismiss NAME`

/**
 * Why every removal is refused where tmux could not be observed.
 */
export const unobserved = (reason: Observation.Reason): string => `another manager may run sessions: ${unseen(reason)}`
