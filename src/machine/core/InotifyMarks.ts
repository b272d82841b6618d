/**
 * What a process watches, as `/proc/<pid>/fdinfo` tells it of an inotify descriptor.
 */

/**
 * What stands at a path, by numbers, as `stat` gives them.
 */
export interface Mark {
  readonly device: bigint
  readonly inode: bigint
}

/**
 * Reads the marks, or gives `undefined` when a line of them has another shape.
 */
export const parse = (text: string): ReadonlyArray<Mark> | undefined => {
  const marks: Array<Mark> = []
  for (const line of text.split("\n")) {
    if (!line.startsWith("inotify")) continue
    const match = /^inotify wd:[0-9a-f]+ ino:([0-9a-f]+) sdev:([0-9a-f]+) /.exec(line)
    if (match === null) return undefined
    const device = BigInt(`0x${match[2]}`)
    marks.push({ inode: BigInt(`0x${match[1]}`), device: deviceOf(device >> 20n, device & 0xfffffn) })
  }
  return marks
}

/**
 * The number that `stat` gives for a device. The kernel packs major and minor in another way for itself.
 */
export const deviceOf = (major: bigint, minor: bigint): bigint =>
  ((major & 0xfffn) << 8n) | (minor & 0xffn) | ((minor & ~0xffn) << 12n) | ((major & ~0xfffn) << 32n)
