/**
 * What of a worktree git ignores, in the directories that a tool makes and the rest.
 */
import * as Regenerable from "./Regenerable.ts"

/**
 * Paths in a worktree as git writes them: relative, a directory with `/` at its end.
 */
export interface Content {
  /** A directory that is ignored as one stands for all that is in it. */
  readonly ignored: ReadonlyArray<string>
  readonly untracked: ReadonlyArray<string>
  readonly tracked: ReadonlyArray<string>
}

export interface Divided {
  /** Directories with nothing in them that is not ignored, none inside another. */
  readonly regenerable: ReadonlyArray<Regenerable.Covering>
  /** Ignored paths in none of them that no tool is known to make. */
  readonly precious: ReadonlyArray<string>
}

/**
 * Divides the ignored paths. A cache that brings a `.gitignore` of `*` is ignored as a whole, too, though git lists what is in
 * it one by one: nothing in it is tracked, and nothing untracked. `beside` gives the names in a directory.
 */
export const divide = (
  { ignored, untracked, tracked }: Content,
  beside: (directory: string) => ReadonlyArray<string> | undefined,
  settings: Regenerable.Settings = {}
): Divided => {
  const covered = ignored.map((entry) => ({ entry, by: Regenerable.covering(entry, beside, settings) }))
  const isMixed = mixedWith(
    covered.flatMap(({ by }) => by.map(({ path }) => path)),
    [tracked, untracked]
  )
  const directories = new Map<string, Regenerable.Covering>()
  const precious: Array<string> = []
  for (const { entry, by } of covered) {
    const whole = by.find(({ path }) => !isMixed(path))
    if (whole === undefined) precious.push(entry)
    else if (whole.kind.entry === "Directory") directories.set(whole.path, whole)
  }
  return { regenerable: [...directories.values()], precious }
}

/**
 * Which of these directories one of the other paths is or lies in. Paths are folded, so that one counts which some file
 * system takes for the same, however it is spelled.
 */
export const mixedWith = (
  directories: ReadonlyArray<string>,
  others: ReadonlyArray<ReadonlyArray<string>>
): ((directory: string) => boolean) => {
  const candidates = new Set(directories.map(Regenerable.fold))
  const mixed = new Set<string>()
  for (const paths of others) {
    for (const each of paths) {
      const path = `${Regenerable.fold(each)}/`
      for (let end = path.indexOf("/"); end !== -1; end = path.indexOf("/", end + 1)) {
        const prefix = path.slice(0, end)
        if (candidates.has(prefix)) mixed.add(prefix)
      }
    }
  }
  return (directory) => mixed.has(Regenerable.fold(directory))
}
