/**
 * Plain descriptions of what stands in the file system in memory.
 */
import { encoder, type Inode } from "./FakeInode.ts"
import { type FakeKernel, segments } from "./FakeKernel.ts"

/**
 * What stands at one path. A FIFO has nobody at its other end.
 */
export type Node = Meta &
  (
    | { readonly text: string }
    | { readonly bytes: Uint8Array }
    | { readonly dir: true }
    | { readonly fifo: true }
    | { readonly symlink: string }
  )

/**
 * What may be said of any node. `mode` is permission bits, `owner` a user id, `mtime` milliseconds since the epoch;
 * `device` holds for everything below it as well.
 */
export interface Meta {
  readonly mode?: number | undefined
  readonly owner?: number | undefined
  readonly mtime?: number | undefined
  readonly device?: bigint | undefined
}

/**
 * Nodes by absolute path, each after its parent where that is a link or has permissions. Directories in between are
 * made. A directory lists its names in the order in which they were made.
 */
export type Tree = Readonly<Record<string, Node>>

/**
 * A node as `snapshot` gives it; `make` takes it back.
 */
export type Seen = Required<Meta> &
  ({ readonly bytes: Uint8Array } | { readonly dir: true } | { readonly fifo: true } | { readonly symlink: string })

/**
 * Puts nodes into the tree, whatever the permissions are, and reads it whole.
 */
export const make = ({ root, keyOf, newInode, find }: FakeKernel) => {
  const put = (path: string, node: Node): void => {
    const names = segments(path)
    let parent = root.inode
    for (const name of names.slice(0, -1)) {
      const known = parent.entries.get(keyOf(name))
      const inode = known?.inode ?? newInode("Directory", parent, {})
      if (known === undefined) parent.entries.set(keyOf(name), { name, inode })
      parent = inode.type === "SymbolicLink" ? find(inode.target) : inode
    }
    const name = names.at(-1)
    if (name === undefined) Object.assign(root.inode, { mode: node.mode ?? root.inode.mode })
    else parent.entries.set(keyOf(name), { name, inode: inodeOf(node, parent) })
  }

  const inodeOf = (node: Node, parent: Inode): Inode => {
    if ("text" in node) return newInode("File", parent, { ...meta(node), bytes: encoder.encode(node.text) })
    if ("bytes" in node) return newInode("File", parent, { ...meta(node), bytes: Uint8Array.from(node.bytes) })
    if ("dir" in node) return newInode("Directory", parent, meta(node))
    if ("fifo" in node) return newInode("FIFO", parent, meta(node))
    return newInode("SymbolicLink", parent, { ...meta(node), target: node.symlink })
  }

  const snapshot = (): Readonly<Record<string, Seen>> => {
    const seen: Record<string, Seen> = {}
    const visit = (prefix: string, directory: Inode): void => {
      for (const { name, inode } of directory.entries.values()) {
        const path = `${prefix}/${name}`
        const { mode, owner, mtime, device } = inode
        const meta = { mode, owner, mtime, device }
        if (inode.type === "File") seen[path] = { ...meta, bytes: Uint8Array.from(inode.bytes) }
        else if (inode.type === "FIFO") seen[path] = { ...meta, fifo: true }
        else if (inode.type === "SymbolicLink") seen[path] = { ...meta, symlink: inode.target }
        else {
          seen[path] = { ...meta, dir: true }
          visit(path, inode)
        }
      }
    }
    visit("", root.inode)
    return seen
  }

  return { put, snapshot }
}

const meta = ({ mode, owner, mtime, device }: Meta) => ({
  ...(mode === undefined ? {} : { mode }),
  ...(owner === undefined ? {} : { owner }),
  ...(mtime === undefined ? {} : { mtime }),
  ...(device === undefined ? {} : { device })
})
