/**
 * What files and directories take on a disk.
 */

/**
 * Allocated bytes, each file once however many names it has.
 */
export interface DiskUsage {
  readonly bytes: number
  /** Of these, what lies in files that have names elsewhere too: removing these names does not free it. */
  readonly shared: number
}

/**
 * One name of a file or a directory.
 */
export interface Entry {
  readonly device: number
  readonly inode: number
  /** How many names it has; a directory has one, whatever its links are. */
  readonly names: number
  readonly bytes: number
}

export const nothing: DiskUsage = { bytes: 0, shared: 0 }

export const freed = ({ bytes, shared }: DiskUsage): number => bytes - shared

/**
 * Adds names up one by one. Only files with several names are remembered.
 */
export interface Tally {
  readonly add: (entry: Entry) => void
  readonly usage: () => DiskUsage
}

export const tally = (): Tally => {
  const devices = new Map<number, Map<number, number>>()
  let bytes = 0
  let shared = 0
  return {
    add: (entry) => {
      if (entry.names <= 1) {
        bytes += entry.bytes
        return
      }
      const unseen = devices.get(entry.device) ?? new Map<number, number>()
      devices.set(entry.device, unseen)
      const before = unseen.get(entry.inode)
      if (before === undefined) {
        bytes += entry.bytes
        shared += entry.bytes
      }
      const left = (before ?? entry.names) - 1
      unseen.set(entry.inode, left)
      if (left === 0) shared -= entry.bytes
    },
    usage: () => ({ bytes, shared })
  }
}

const units = ["B", "KiB", "MiB", "GiB", "TiB"]

/**
 * A size in words, rounded down to three digits.
 */
export const format = (bytes: number): string => {
  let size = Math.max(0, bytes)
  let unit = 0
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024
    unit += 1
  }
  const decimals = unit === 0 || size >= 100 ? 0 : size >= 10 ? 1 : 2
  const factor = 10 ** decimals
  return `${(Math.floor(size * factor) / factor).toFixed(decimals)} ${units[unit]}`
}
