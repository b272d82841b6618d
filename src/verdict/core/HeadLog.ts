/**
 * What a worktree's own `HEAD` log tells.
 */

export interface HeadLog {
  /**
   * When the last entry was made, in milliseconds since the epoch. `"NoEntry"`: the last line is none. `undefined`: there is
   * no line.
   */
  readonly lastAt: number | "NoEntry" | undefined
  /** The commit that the worktree was made at, where the log goes back to that. */
  readonly madeAt: string | undefined
  /** Whether it has an entry of a commit that was made, in whatever way. */
  readonly commits: boolean
}

export const parse = (text: string): HeadLog => {
  const lines = text.split("\n").filter((line) => line !== "")
  const entries = lines.map(entryOf)
  const [first] = entries
  const last = entries.at(-1)
  return {
    // The last need not be the newest: a commit can be given any date.
    lastAt: lines.length === 0 ? undefined : last === undefined ? "NoEntry" : newestOf(entries),
    madeAt: first !== undefined && /^0+$/.test(first.from) ? first.to : undefined,
    commits: entries.some((entry) => entry !== undefined && entry.from !== entry.to && isCommit(entry.message))
  }
}

const newestOf = (entries: ReadonlyArray<Entry | undefined>): number =>
  entries.reduce((newest, entry) => Math.max(newest, entry?.at ?? 0), 0)

interface Entry {
  readonly from: string
  readonly to: string
  readonly at: number
  readonly message: string
}

const entryOf = (line: string): Entry | undefined => {
  const found = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) [^\t]*> ([0-9]{1,12}) [+-][0-9]{4}(|\t.*)$/.exec(line)
  if (found === null) return undefined
  const [from, to, seconds, message] = found.slice(1) as [string, string, string, string]
  return { from, to, at: Number(seconds) * 1000, message }
}

/** Of a rebase only the picks, and what was done by hand between them: to start and to finish one makes no commit. */
const isCommit = (message: string): boolean =>
  /^\t(commit\b|cherry-pick|revert|am\b|merge [^]*: Merge made|pull\b[^]*: Merge made|rebase[^:]*\((pick|reword|edit|squash|fixup|continue|merge)\))/.test(
    message
  )
