/**
 * What has to be known of a worktree that is reclaimed, to put it back as it was.
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

/**
 * The reason of our lock, on one line: for people, and to recognise our own lock by. Nothing is read from it.
 */
export const printLock = ({ name, path, branch, at }: ReclaimRecord): string =>
  `${prefix}${JSON.stringify({ name, path, branch, at: new Date(at).toISOString() })}`

const prefix = "session-liveness reclaimed this worktree: "

/**
 * Whether a lock says that it is one of ours: for what is shown to a person, since anybody can write so.
 */
export const looksOurs = (reason: string): boolean => reason.startsWith(prefix)

/**
 * A name for a worktree that is moved at `at`: the instant and git's own name for it, which no other worktree of the
 * repository has, fit for a ref and a file.
 */
export const nameOf = (adminDirectory: string, at: number): string => {
  const id = adminDirectory.slice(adminDirectory.lastIndexOf("/") + 1).replaceAll(/[^A-Za-z0-9_-]+/g, "-")
  return `${new Date(at).toISOString().replaceAll(/[-:.]/g, "")}-${id.slice(0, 100)}`
}
