/**
 * The mounted file systems, as the `mount` of macOS prints them.
 */

/**
 * One mount: what, where, and of what kind.
 */
export interface MacMount {
  readonly source: string
  readonly point: string
  readonly type: string
  readonly flags: ReadonlySet<string>
}

const row = /^(.+) on (\/.*) \(([a-z0-9_.-]+)((?:, [^,()]+)*)\)$/

/**
 * Reads the whole table, or gives `undefined` when any line has another shape or can be read in two ways.
 */
export const parse = (text: string): ReadonlyArray<MacMount> | undefined => {
  if (!text.endsWith("\n")) return undefined
  const mounts: Array<MacMount> = []
  for (const line of text.slice(0, -1).split("\n")) {
    const match = row.exec(line)
    if (match === null || line.split(" on /").length !== 2) return undefined
    const [, source = "", point = "", type = "", flags = ""] = match
    mounts.push({ source, point, type, flags: new Set(flags.split(", ").slice(1)) })
  }
  return mounts
}

/**
 * Whether a look at a mount's point waits for no other machine.
 */
export const isLocal = ({ flags }: MacMount): boolean => flags.has("local")

/**
 * Why what lies on a file system may be another host's or another user's, or `undefined` when neither can be.
 */
export const unfit = (mount: MacMount): string | undefined => {
  if (!isLocal(mount) || (mount.type !== "apfs" && mount.type !== "hfs")) return `the file system ${mount.type}`
  return mount.flags.has("noowners") ? `a volume that ignores ownership (${mount.type}, noowners)` : undefined
}

/**
 * The mounts that show a directory of another file system, which `source` names.
 */
export const showsDirectory = ({ type, source }: MacMount): boolean =>
  (type === "nullfs" || type === "bindfs") && source.startsWith("/")

/**
 * Whether a path lies at or below the point of a file system of another machine, as it is spelled.
 */
export const isAway = (mounts: ReadonlyArray<MacMount>, path: string): boolean =>
  mounts.some((mount) => !isLocal(mount) && (path === mount.point || path.startsWith(`${mount.point}/`)))
