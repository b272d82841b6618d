/**
 * The newest commits of a branch, and what git's diffs say of them.
 */

/**
 * One path that a commit changes. What stood there before and after: mode and object, or zeros for nothing.
 */
export interface Change {
  readonly path: string
  readonly before: string
  readonly after: string
}

export interface Commit {
  readonly id: string
  readonly parents: ReadonlyArray<string>
  /** The commits, perhaps cut short, that its message says it reverts. */
  readonly reverts: ReadonlyArray<string>
  /** Against its one parent; none are told of a merge. */
  readonly changes: ReadonlyArray<Change>
}

/** How many commits are looked through. */
const limit = 2000

/** How changes are printed, whatever the repository's settings are. */
export const rawOptions: ReadonlyArray<string> = [
  "--raw",
  "-r",
  "--no-abbrev",
  "--no-renames",
  "--no-relative",
  "--no-ext-diff",
  "--no-textconv",
  "--ignore-submodules=none"
]

/** What `git log` is asked for: all of `parse` rests on these. */
export const logOptions: ReadonlyArray<string> = [
  "--topo-order",
  `--max-count=${limit + 1}`,
  "--no-show-signature",
  "--no-notes",
  "--no-decorate",
  "--no-mailmap",
  "--encoding=UTF-8",
  "--no-diff-merges",
  "--format=tformat:%H%x00%P%x00%B%x00",
  "-z",
  ...rawOptions
]

/**
 * Reads the whole of it, or gives `undefined` when any part of it has another shape.
 */
export const parse = (text: string): ReadonlyArray<Commit> | undefined => {
  if (text === "") return []
  if (!text.endsWith("\0")) return undefined
  const tokens = text.slice(0, -1).split("\0")
  const commits: Array<Commit> = []
  for (let at = 0; at < tokens.length;) {
    const [id = "", parents = "", body, end] = tokens.slice(at, at + 4)
    if (!isId(id) || body === undefined || end !== "") return undefined
    at += 4
    const changes: Array<Change> = []
    for (
      let raw = changeOf(tokens[at], tokens[at + 1]);
      raw !== undefined;
      raw = changeOf(tokens[at], tokens[at + 1])
    ) {
      changes.push(raw)
      at += 2
    }
    commits.push({ id, parents: parents === "" ? [] : parents.split(" "), reverts: revertsIn(body), changes })
  }
  return commits
}

/**
 * Reads what `git diff-tree -r -z --raw --no-abbrev --no-renames` says of two trees.
 */
export const parseRaw = (text: string): ReadonlyArray<Change> | undefined => {
  if (text === "") return []
  if (!text.endsWith("\0")) return undefined
  const tokens = text.slice(0, -1).split("\0")
  const changes: Array<Change> = []
  for (let at = 0; at < tokens.length; at += 2) {
    const change = changeOf(tokens[at], tokens[at + 1])
    if (change === undefined) return undefined
    changes.push(change)
  }
  return changes
}

const isId = (text: string): boolean => /^[0-9a-f]{40,64}$/.test(text)

const changeOf = (raw: string | undefined, path: string | undefined): Change | undefined => {
  const [, modeBefore, modeAfter, before, after] =
    /^\n?:([0-7]{6}) ([0-7]{6}) ([0-9a-f]{40,64}) ([0-9a-f]{40,64}) [A-Z][0-9]*$/.exec(raw ?? "") ?? []
  return before === undefined || path === undefined || path === ""
    ? undefined
    : { path, before: `${modeBefore} ${before}`, after: `${modeAfter} ${after}` }
}

const revertsIn = (body: string): ReadonlyArray<string> =>
  [...body.matchAll(/\breverts commit\s+([0-9a-f]{7,64})\b/gi)].map(([, id = ""]) => id.toLowerCase())

/**
 * A branch's newest commits, each before its parents: with a commit all that came after it are there too.
 */
export interface History {
  /** The branch. */
  readonly into: string
  readonly limit: number
  /** Whether the branch has no other commits. */
  readonly isWhole: boolean
  readonly has: (commit: string) => boolean
  /** Those that a commit does not contain. */
  readonly notIn: (commit: string) => ReadonlyArray<Commit>
  /** The merge that brought a commit to the branch; `undefined` when it was forwarded to it. */
  readonly mergeOf: (commit: string) => Commit | undefined
  /** What the merge of a commit brought, and what lies between `from` and it. */
  readonly own: (commit: string, from: string | undefined, merge: Commit | undefined) => ReadonlyArray<Commit>
}

export const make = (into: string, commits: ReadonlyArray<Commit>): History => {
  const kept = commits.slice(0, limit)
  const byId = new Map(kept.map((commit) => [commit.id, commit]))
  const containing = (commit: string): ReadonlySet<string> => {
    const found = new Set<string>()
    for (const { id, parents } of kept.toReversed()) {
      if (parents.some((parent) => parent === commit || found.has(parent))) found.add(id)
    }
    return found
  }
  const contained = (commit: string): ReadonlySet<string> => {
    const found = new Set([commit])
    for (const { id, parents } of kept) if (found.has(id)) for (const parent of parents) found.add(parent)
    return found
  }
  return {
    into,
    limit,
    isWhole: commits.length <= limit,
    has: (commit) => byId.has(commit),
    notIn: (commit) => {
      const inside = contained(commit)
      return kept.filter(({ id }) => !inside.has(id))
    },
    mergeOf: (commit) => {
      const after = containing(commit)
      let found: Commit | undefined
      for (let at = kept[0]; at !== undefined && after.has(at.id); at = byId.get(at.parents[0] ?? "")) found = at
      return found === undefined || found.parents[0] === commit ? undefined : found
    },
    own: (commit, from, merge) => {
      const inside = contained(commit)
      const beside = merge?.parents[0] === undefined ? undefined : contained(merge.parents[0])
      const before = from === undefined ? undefined : contained(from)
      const isOwn = (id: string) =>
        beside === undefined && before === undefined
          ? id === commit
          : (beside !== undefined && !beside.has(id)) || (before !== undefined && !before.has(id))
      return kept.filter(({ id }) => inside.has(id) && isOwn(id))
    }
  }
}
