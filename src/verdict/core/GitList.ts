/**
 * The lists that git prints, each ended by NUL.
 */
import * as Text from "../../shared/core/Text.ts"
import type * as GitFacts from "./GitFacts.ts"

/**
 * One worktree of a repository, as `git worktree list --porcelain -z` tells it. The first is the main one.
 */
export interface Worktree {
  readonly path: string
  readonly main: boolean
  readonly bare: boolean
  /** `undefined` when nothing is checked out, not even an empty branch's first commit. */
  readonly head: string | undefined
  /** The branch that `HEAD` is on, in full; `undefined` when it is detached. */
  readonly branch: string | undefined
  /** The reason of its lock, which may be empty; `undefined` when it is not locked. */
  readonly locked: string | undefined
}

/**
 * Reads the whole list, or gives `undefined` when any part of it has another shape.
 */
export const worktrees = (text: string): ReadonlyArray<Worktree> | undefined => {
  if (!text.endsWith("\0\0")) return undefined
  const parsed = text
    .slice(0, -2)
    .split("\0\0")
    .map((record, index) => worktree(record.split("\0"), index === 0))
  return parsed.every((entry) => entry !== undefined) ? parsed : undefined
}

const worktree = (lines: ReadonlyArray<string>, main: boolean): Worktree | undefined => {
  const value = (key: string): string | undefined => {
    const line = lines.find((line) => line === key || line.startsWith(`${key} `))
    return line?.slice(key.length + 1)
  }
  const path = value("worktree")
  if (path === undefined || !path.startsWith("/")) return undefined
  const head = value("HEAD")
  return {
    path,
    main,
    bare: value("bare") !== undefined,
    head: head === undefined || /^0+$/.test(head) ? undefined : head,
    branch: value("branch"),
    locked: value("locked")
  }
}

/**
 * What `git status --porcelain -z` tells: changed and untracked paths as it writes them, and ignored ones by themselves.
 */
export interface Status {
  readonly dirty: ReadonlyArray<string>
  readonly ignored: ReadonlyArray<string>
}

/**
 * Reads a whole status. The path that a renamed one had before is part of its entry.
 */
export const status = (text: string): Status | undefined => {
  const entries = items(text)
  if (entries === undefined) return undefined
  const dirty: Array<string> = []
  const ignored: Array<string> = []
  const rest = entries.values()
  for (const entry of rest) {
    if (!/^[ MTADRCU?!]{2} [^]/.test(entry)) return undefined
    if (entry.startsWith("!! ")) ignored.push(entry.slice(3))
    else {
      dirty.push(entry)
      // What was renamed or copied is followed by what it was.
      if (/^.?[RC]/.test(entry) && rest.next().done === true) return undefined
    }
  }
  return { dirty, ignored }
}

/** The untracked paths among the dirty entries. */
export const untracked = (dirty: ReadonlyArray<string>): ReadonlyArray<string> =>
  dirty.flatMap((entry) => (entry.startsWith("?? ") ? [entry.slice(3)] : []))

/**
 * What `git ls-files -v --stage -z` tells of the files in the index.
 */
export interface Tracked {
  /** Those flagged assume-unchanged (a small letter) or skip-worktree (`S`, or small where both). */
  readonly flagged: ReadonlyArray<GitFacts.Flagged>
  /** The directories of submodules, initialised or not. Git passes over whatever else lies in them. */
  readonly submodules: ReadonlyArray<string>
}

/**
 * Reads a whole list of tracked files.
 */
export const tracked = (text: string): Tracked | undefined => {
  const entries = items(text)?.map(
    (entry) =>
      /^([A-Za-z?]) ([0-7]{6}) [0-9a-f]+ [0-3]\t([^]+)/.exec(entry)?.slice(1) as
        | readonly [flag: string, mode: string, path: string]
        | undefined
  )
  if (entries?.every((entry) => entry !== undefined) !== true) return undefined
  return {
    flagged: entries.flatMap(([flag, , path]): ReadonlyArray<GitFacts.Flagged> => [
      ...(/[a-z]/.test(flag) ? [{ path, flag: "assume-unchanged" } as const] : []),
      ...(/[sS]/.test(flag) ? [{ path, flag: "skip-worktree" } as const] : [])
    ]),
    submodules: entries.flatMap(([, mode, path]) => (mode === "160000" ? [path] : []))
  }
}

/**
 * The pieces of a list, each of which is ended by NUL, or `undefined` when the last one is not.
 */
export const items = (text: string): ReadonlyArray<string> | undefined => {
  if (text === "") return []
  return text.endsWith("\0") ? text.slice(0, -1).split("\0") : undefined
}

/**
 * The options that keep every filter and hook from running that `git config --null --name-only` lists, or `undefined` when
 * one has a name that no option can spell. A file whose filter does not run is compared as it is: it may seem changed, and
 * where git compares contents it never seems unchanged while it differs from what is committed. Where size and times are
 * those of the index git compares none, whatever filters there are.
 */
export const disarming = (names: string): ReadonlyArray<string> | undefined => {
  const found = new Set<string>()
  for (const name of names.split("\0")) {
    const section = /^(?:filter|hook)\.[^]*(?=\.)/.exec(name)
    if (section !== null) found.add(section[0])
  }
  const sections = [...found].sort(Text.compare)
  if (sections.some((section) => section.includes("="))) return undefined
  return sections.flatMap((section) =>
    (section.startsWith("filter.")
      ? ["clean=", "smudge=", "process=", "required=false"]
      : ["enabled=false", "command=", "event="]
    ).flatMap((option) => ["-c", `${section}.${option}`])
  )
}
