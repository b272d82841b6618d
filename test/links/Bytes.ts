/**
 * The bytes of every regular file under a root, to tell whether anything was lost.
 */
import { assert } from "@effect/vitest"
import * as fs from "node:fs"

/** Beyond this only sizes are compared; such files are sparse. */
const whole = 1024 ** 3

export type Bytes = ReadonlyMap<string, { readonly size: number; readonly bytes: Buffer }>

/**
 * Looks at every regular file itself; names are taken byte by byte, as latin1.
 */
export const under = (root: string): Bytes => {
  const found = new Map<string, { readonly size: number; readonly bytes: Buffer }>()
  const visit = (directory: Buffer): void => {
    for (const name of fs.readdirSync(directory, { encoding: "buffer" })) {
      const path = Buffer.concat([directory, Buffer.from("/"), name])
      const stats = fs.lstatSync(path)
      if (stats.isDirectory()) visit(path)
      else if (stats.isFile()) {
        const bytes = stats.size > whole ? Buffer.alloc(0) : fs.readFileSync(path)
        found.set(path.toString("latin1"), { size: stats.size, bytes })
      }
    }
  }
  visit(Buffer.from(root))
  return found
}

/**
 * Every old file is still there, and its old bytes are a prefix of its new ones.
 */
export const assertKept = (before: Bytes, after: Bytes): void => {
  for (const [path, old] of before) {
    const now = after.get(path)
    assert.isDefined(now, `${path} is gone`)
    assert.isAtLeast(now.size, old.size, path)
    assert.isTrue(old.bytes.equals(now.bytes.subarray(0, old.bytes.length)), `${path} was rewritten`)
  }
}
