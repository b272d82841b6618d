/**
 * Whether what stands at a path may be another user's doing, so that it must not speak for a removal.
 */

/**
 * What `stat` tells of it. `owner` is `undefined` where there are no users.
 */
export interface Standing {
  readonly owner: number | undefined
  readonly group: number | undefined
  /** Permission bits; others are ignored. */
  readonly mode: number
}

/**
 * The group that every user is in, on a platform as Node names it: `staff` on macOS.
 */
export const everybodyOn = (platform: string): number | undefined => (platform === "darwin" ? 20 : undefined)

/**
 * Why another user may have written it, or `undefined` when only `user`, root and members of its group can. `user` is
 * `undefined` where that is not known: then every owner will do. `everybody` is the group that every user is in, if any.
 */
export const why = (
  standing: Standing,
  user: number | undefined,
  everybody: number | undefined
): string | undefined => {
  const { owner } = standing
  if (owner !== undefined && user !== undefined && owner !== user && owner !== 0) return `belongs to user ${owner}`
  const classes = open(standing, everybody)
  return classes && `may be written to by every user; forbid that with \`chmod ${classes}-w\``
}

/** The classes of users, as `chmod` names them, by which everybody may write; `undefined` when nobody need be kept out. */
const open = ({ group, mode }: Standing, everybody: number | undefined): "o" | "g" | "go" | undefined => {
  const byGroup = group !== undefined && group === everybody && (mode & 0o020) !== 0
  if ((mode & 0o002) !== 0) return byGroup ? "go" : "o"
  return byGroup ? "g" : undefined
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
export const whyAbove = (standing: Standing, everybody: number | undefined): string | undefined => {
  const classes = (standing.mode & 0o1000) === 0 ? open(standing, everybody) : undefined
  return classes && `lets every user replace what stands in it; forbid that with \`chmod ${classes}-w\``
}
