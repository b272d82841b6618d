/**
 * The mounted file systems, as the `mount` of macOS prints them.
 */

import * as Mounts from "./Mounts.ts"

/**
 * One mount: what, where, and of what kind.
 */
export interface MacMount {
  readonly source: string
  readonly point: string
  readonly type: string
  readonly flags: ReadonlySet<string>
}

const row = /^(.+) on (\/.*) \(([A-Za-z0-9_.-]+)((?:, [^,()]+)*)\)$/

/**
 * Reads the whole table, or gives `undefined` when any line has another shape or can be read in two ways.
 */
export const parse = (text: string): ReadonlyArray<MacMount> | undefined => {
  const lines = text.split("\n")
  if (lines.pop() !== "" || lines.length === 0) return undefined
  const mounts: Array<MacMount> = []
  for (const line of lines) {
    const found = row.exec(line)
    if (found === null || line.split(" on /").length !== 2) return undefined
    const [source, point, type, flags] = found.slice(1) as [string, string, string, string]
    mounts.push({ source, point, type, flags: new Set(flags.split(", ").slice(1)) })
  }
  return mounts
}

/**
 * Whether a look at a mount's point waits for no other machine.
 */
export const isLocal = ({ flags }: MacMount): boolean => flags.has("local")

/**
 * The type of a file system, as `Mounts.isNetwork` knows it. One on which another host or another user may write says that
 * it is unfit, and why.
 */
export const typeOf = (mount: MacMount): string => {
  if (!isLocal(mount)) return `${Mounts.unfit}${mount.type}, not local`
  if (mount.flags.has("noowners")) return `${Mounts.unfit}${mount.type}, noowners`
  return mount.type === "apfs" || mount.type === "hfs" ? mount.type : `${Mounts.unfit}${mount.type}`
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
