/**
 * Everything below a directory as it stands, so that a change of any byte, time or inode shows.
 */
import { createHash } from "node:crypto"
import * as fs from "node:fs"

export type Snapshot = ReadonlyMap<string, string>

/** The time of the last access is left out: whoever reads, changes it. Names are bytes, and may not be UTF-8. */
export const take = (root: string): Snapshot => {
  const entries = new Map<string, string>()
  const visit = (name: string): void => {
    const file = Buffer.from(name, "latin1")
    const info = fs.lstatSync(file, { bigint: true })
    const content = info.isFile()
      ? createHash("sha1").update(fs.readFileSync(file)).digest("hex")
      : info.isSymbolicLink()
        ? fs.readlinkSync(file)
        : ""
    entries.set(name, [info.mode, info.ino, info.nlink, info.size, info.mtimeNs, info.ctimeNs, content].join(" "))
    if (!info.isDirectory()) return
    for (const inside of fs.readdirSync(file, "latin1")) visit(`${name}/${inside}`)
  }
  visit(Buffer.from(root, "utf8").toString("latin1"))
  return entries
}

/** The paths that differ. */
export const changes = (before: Snapshot, after: Snapshot): ReadonlyArray<string> =>
  [...new Set([...before.keys(), ...after.keys()])].filter((name) => before.get(name) !== after.get(name)).sort()
