/**
 * Whether what stands at a path may be another user's doing, so that it must not speak for a removal.
 */

/**
 * What `stat` tells of it. `owner` is `undefined` where there are no users.
 */
export interface Standing {
  readonly owner: number | undefined
  /** Permission bits; others are ignored. */
  readonly mode: number
}

/**
 * Why another user may have written it, or `undefined` when only `user`, root and members of its group can. `user` is
 * `undefined` where that is not known: then every owner will do.
 */
export const why = ({ owner, mode }: Standing, user: number | undefined): string | undefined => {
  if (owner !== undefined && user !== undefined && owner !== user && owner !== 0) return `belongs to user ${owner}`
  return (mode & 0o002) === 0 ? undefined : "may be written to by every user; take that from them with `chmod o-w`"
}

/**
 * Every directory above a path, the nearest first.
 */
export const above = (path: string): ReadonlyArray<string> => {
  const segments = path
    .split("/")
    .filter((segment) => segment !== "")
    .slice(0, -1)
  return [...segments.map((_, index) => `/${segments.slice(0, segments.length - index).join("/")}`), "/"]
}

/**
 * Why another user may put something else in the place of what stands in this directory, or `undefined`. Under the sticky
 * bit, as on `/tmp`, everybody may write and nobody may rename what is another's.
 */
export const whyAbove = ({ mode }: Standing): string | undefined =>
  (mode & 0o1002) === 0o002
    ? "lets every user replace what stands in it; take that from them with `chmod o-w`"
    : undefined
