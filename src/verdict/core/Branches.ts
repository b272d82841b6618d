/**
 * The branches that a repository lives by.
 */

export interface Ref {
  /** In full. */
  readonly name: string
  readonly object: string
  /** Where a symbolic one leads. */
  readonly symref: string | undefined
  readonly upstream: string | undefined
}

/** What `git for-each-ref` is asked for. */
export const refFormat = "%(objectname) %(refname) %(symref) %(upstream)"

/**
 * Reads the whole list, or gives `undefined` when any part of it has another shape.
 */
export const parse = (text: string): ReadonlyArray<Ref> | undefined => {
  const refs = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Ref | undefined => {
      const found = /^([0-9a-f]{40,64}) (refs\/[^ ]*) ([^ ]*) ([^ ]*)$/.exec(line)
      if (found === null) return undefined
      const [object, name, symref, upstream] = found.slice(1) as [string, string, string, string]
      return { object, name, symref: symref || undefined, upstream: upstream || undefined }
    })
  return refs.every((ref) => ref !== undefined) ? refs : undefined
}

/**
 * What else names a default branch.
 */
export interface Naming {
  /** What a person said. */
  readonly base?: string | undefined
  /** The branch that a bare repository's `HEAD` is on, in full. */
  readonly bareHead?: string | undefined
  /** `init.defaultBranch`. */
  readonly initial?: string | undefined
}

/**
 * The default branches that exist. None: nothing has landed anywhere.
 */
export const defaults = (refs: ReadonlyArray<Ref>, naming: Naming = {}): ReadonlyArray<Ref> => {
  const byName = new Map<string | undefined, Ref>(refs.map((ref) => [ref.name, ref]))
  const existing = (...names: ReadonlyArray<string | undefined>) => names.flatMap((name) => byName.get(name) ?? [])
  const { base, initial } = naming
  if (base !== undefined) return existing(base, `refs/heads/${base}`, `refs/remotes/${base}`).slice(0, 1)
  const local = existing(initial && `refs/heads/${initial}`, "refs/heads/main", "refs/heads/master")[0]
  const hasUpstream = refs.some(({ name }) => name.startsWith("refs/remotes/upstream/"))
  const tracked = local?.upstream?.match(/^refs\/remotes\/([^/]+)\//)?.[1]
  const remote = hasUpstream ? "upstream" : (tracked ?? "origin")
  const remoteHead = byName.get(`refs/remotes/${remote}/HEAD`)?.symref
  if (remoteHead !== undefined) {
    const branch = remoteHead.slice(`refs/remotes/${remote}/`.length)
    const found = existing(remoteHead, `refs/heads/${branch}`)
    if (found.length > 0) return found
  }
  const own = existing(naming.bareHead)[0] ?? local
  // Whoever added the remote by hand, or cloned bare, has no HEAD of it, and its branch of that name is the newer one.
  return own === undefined ? [] : existing(`refs/remotes/${remote}/${shortName(own.name)}`, own.name)
}

const longLivedNames: ReadonlyArray<string> = [
  "main",
  "master",
  "trunk",
  "develop",
  "dev",
  "next",
  "staging",
  "stable",
  "production",
  "gh-pages",
  "release/*"
]

/**
 * Whether a branch, in full, is one that people keep, whether or not it has landed. `kept` are names that a person adds; a
 * `*` at the end stands for any text.
 */
export const isLongLived = (
  branch: string | undefined,
  defaults: ReadonlyArray<Ref>,
  kept: ReadonlyArray<string> = []
): boolean => {
  if (branch === undefined) return false
  const short = shortName(branch)
  return (
    defaults.some(({ name }) => shortName(name) === short) ||
    [...longLivedNames, ...kept.map(shortName)].some((pattern) =>
      pattern.endsWith("*") ? short.startsWith(pattern.slice(0, -1)) : short === pattern
    )
  )
}

/** A branch as people write it, without where it lies. */
export const shortName = (branch: string): string => branch.replace(/^refs\/(heads|remotes\/[^/]+)\//, "")
