import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"

/**
 * What stands at one path under a root.
 */
export type Node =
  | { readonly text: string }
  | { readonly base64: string }
  | { readonly dir: true }
  | { readonly fifo: true }
  | { readonly symlink: string }

export type Tree = Readonly<Record<string, Node>>

export const bytesOf = (node: Node): Uint8Array | undefined =>
  "text" in node
    ? new TextEncoder().encode(node.text)
    : "base64" in node
      ? Buffer.from(node.base64, "base64")
      : undefined

/**
 * Makes a tree under `root`, on the real file system.
 */
export const write = (root: string, tree: Tree): void => {
  for (const [name, node] of Object.entries(tree)) {
    const target = path.join(root, name)
    fs.mkdirSync(path.dirname(target), { recursive: true })
    const bytes = bytesOf(node)
    if (bytes !== undefined) fs.writeFileSync(target, bytes)
    else if ("dir" in node) fs.mkdirSync(target, { recursive: true })
    else if ("symlink" in node) fs.symlinkSync(node.symlink, target)
    else execFileSync("mkfifo", [target])
  }
}

/**
 * The leaves under `root` as a tree: files as text, empty directories as directories.
 */
export const read = (root: string): Tree => {
  const tree: Record<string, Node> = {}
  for (const entry of fs.readdirSync(root, { recursive: true, withFileTypes: true })) {
    const full = path.join(entry.parentPath, entry.name)
    const name = path.relative(root, full)
    if (entry.isFile()) tree[name] = { text: fs.readFileSync(full, "utf8") }
    else if (entry.isDirectory() && fs.readdirSync(full).length === 0) tree[name] = { dir: true }
    else if (entry.isSymbolicLink()) tree[name] = { symlink: fs.readlinkSync(full) }
    else if (entry.isFIFO()) tree[name] = { fifo: true }
  }
  return tree
}
