/**
 * What the kernel does with inodes: it resolves paths, checks permissions and changes directories. It throws an errno.
 */
import type * as FileSystem from "effect/FileSystem"
import { blocks, Errno, missing } from "./FakeErrno.ts"
import { encoder, type Entry, type Inode, type Place } from "./FakeInode.ts"

export const may = { read: 4, write: 2, search: 1 } as const
export const umask = 0o022

export type FakeKernel = ReturnType<typeof make>

/**
 * An empty root directory, as `user` sees it.
 */
export const make = (user: number, foldsCase: boolean) => {
  let inodes = 1n

  const keyOf = (name: string): string => (foldsCase ? name.normalize("NFC").toLowerCase() : name)

  const newInode = (
    type: Inode["type"],
    parent: Inode | undefined,
    init: Partial<Pick<Inode, "target" | "bytes" | "mode" | "owner" | "mtime" | "device">>
  ): Inode => ({
    ino: inodes++,
    device: init.device ?? parent?.device ?? 1n,
    type,
    target: init.target ?? "",
    entries: new Map(),
    bytes: Uint8Array.from(init.bytes ?? []),
    mode: init.mode ?? (type === "Directory" ? 0o755 : type === "SymbolicLink" ? 0o777 : 0o644),
    owner: init.owner ?? user,
    mtime: init.mtime ?? 0,
    links: 1
  })

  const root: Entry = { name: "", inode: newInode("Directory", undefined, {}) }

  const allow = (inode: Inode, access: number): void => {
    const bits = inode.owner === user ? inode.mode >> 6 : inode.mode
    if (user !== 0 && (bits & access) !== access) throw new Errno("EACCES")
  }

  const walk = (path: string, { follow }: { readonly follow: boolean }): Place => {
    if (path === "") throw new Errno("ENOENT")
    const pending = segments(path.toWellFormed())
    let trail: ReadonlyArray<Entry> = [root]
    let hops = 0
    for (let segment = pending.shift(); segment !== undefined; segment = pending.shift()) {
      const here = trail.at(-1) ?? root
      if (here.inode.type !== "Directory") throw new Errno("ENOTDIR")
      allow(here.inode, may.search)
      if (segment === ".") continue
      if (segment === "..") {
        if (trail.length > 1) trail = trail.slice(0, -1)
        continue
      }
      if (encoder.encode(segment).length > 255) throw new Errno("ENAMETOOLONG")
      const entry = here.inode.entries.get(keyOf(segment))
      const last = pending.length === 0
      if (entry === undefined) {
        if (last) return { trail, name: segment, inode: undefined }
        throw new Errno("ENOENT")
      }
      if (entry.inode.type === "SymbolicLink" && (follow || !last)) {
        if (++hops > 40) throw new Errno("ELOOP")
        if (entry.inode.target.startsWith("/")) trail = [root]
        pending.unshift(...segments(entry.inode.target))
      } else trail = [...trail, entry]
    }
    const end = trail.at(-1) ?? root
    return { trail: trail.slice(0, -1), name: end.name, inode: end.inode }
  }

  const existing = (place: Place): Inode => {
    if (place.inode === undefined) throw new Errno("ENOENT")
    return place.inode
  }

  const find = (path: string, follow = true): Inode => existing(walk(path, { follow }))

  const parentOf = (place: Place): Inode => (place.trail.at(-1) ?? root).inode

  const attach = (place: Place, inode: Inode, now: number): Inode => {
    const parent = parentOf(place)
    allow(parent, may.write | may.search)
    parent.entries.set(keyOf(place.name), { name: place.name, inode })
    parent.mtime = now
    return inode
  }

  const detach = (place: Place, now: number): void => {
    const parent = parentOf(place)
    allow(parent, may.write | may.search)
    if (parent.entries.delete(keyOf(place.name))) parent.mtime = now
    if (place.inode !== undefined) place.inode.links--
  }

  const create = (place: Place, type: Inode["type"], now: number, init: Parameters<typeof newInode>[2]): Inode =>
    attach(place, newInode(type, parentOf(place), { mtime: now, ...init }), now)

  const list = (path: string): ReadonlyArray<Entry> => {
    const directory = find(path)
    if (directory.type !== "Directory") throw new Errno("ENOTDIR")
    allow(directory, may.read)
    return [...directory.entries.values()]
  }

  const openInode = (
    path: string,
    flag: FileSystem.OpenFlag,
    now: number,
    { mode = 0o666, noFollow = false }: { readonly mode?: number | undefined; readonly noFollow?: boolean | undefined }
  ): Inode => {
    const creates = !flag.startsWith("r")
    const exclusive = flag.includes("x")
    const place = walk(path, { follow: !exclusive && !noFollow })
    if (place.inode === undefined) {
      if (!creates) throw new Errno("ENOENT")
      return create(place, "File", now, { mode: mode & ~umask })
    }
    if (exclusive) throw new Errno("EEXIST")
    const inode = place.inode
    if (inode.type === "SymbolicLink") throw new Errno("ELOOP")
    if (inode.type === "Directory" && flag !== "r") throw new Errno("EISDIR")
    allow(inode, (isReadable(flag) ? may.read : 0) | (isWritable(flag) ? may.write : 0))
    if (inode.type === "FIFO") throw blocks
    if (flag.startsWith("w")) resize(inode, 0, now)
    return inode
  }

  const resize = (inode: Inode, length: number, now: number): void => {
    const bytes = new Uint8Array(length)
    bytes.set(inode.bytes.subarray(0, length))
    inode.bytes = bytes
    inode.mtime = now
  }

  const makeDirectory = (path: string, now: number, mode: number): void => {
    const place = walk(withoutSlash(path), { follow: false })
    if (place.inode !== undefined) throw new Errno("EEXIST")
    create(place, "Directory", now, { mode })
  }

  const makeDirectories = (path: string, now: number, mode: number): void => {
    const names = segments(withoutSlash(path))
    for (let depth = 1; depth <= names.length; depth++) {
      const prefix = `/${names.slice(0, depth).join("/")}`
      if (walk(prefix, { follow: false }).inode === undefined) makeDirectory(prefix, now, mode)
      else {
        const last = depth === names.length
        const there = missing(() => walk(prefix, { follow: true }))?.inode
        if (there === undefined) throw new Errno(last ? "ENOENT" : "ENOTDIR")
        if (there.type !== "Directory") throw new Errno(last ? "EEXIST" : "ENOTDIR")
      }
    }
  }

  const removeTree = (place: Place, inode: Inode, recursive: boolean, now: number): void => {
    if (inode.type === "Directory") {
      if (!recursive) throw new Errno("ERR_FS_EISDIR")
      if (inode.entries.size > 0) allow(inode, may.read | may.write | may.search)
      const trail = [...place.trail, { name: place.name, inode }]
      for (const entry of inode.entries.values()) {
        removeTree({ trail, name: entry.name, inode: entry.inode }, entry.inode, recursive, now)
      }
    }
    detach(place, now)
  }

  const owned = (inode: Inode): Inode => {
    if (user !== 0 && inode.owner !== user) throw new Errno("EPERM")
    return inode
  }

  return {
    root,
    keyOf,
    newInode,
    allow,
    walk,
    existing,
    find,
    parentOf,
    attach,
    detach,
    create,
    list,
    openInode,
    resize,
    makeDirectory,
    makeDirectories,
    removeTree,
    owned
  }
}

export const isReadable = (flag: FileSystem.OpenFlag): boolean => flag === "r" || flag.includes("+")

export const isWritable = (flag: FileSystem.OpenFlag): boolean => flag !== "r"

/** A slash at the end asks for a directory, as `.` does. */
export const segments = (path: string): Array<string> =>
  (path.endsWith("/") && path !== "/" ? `${path}.` : path).split("/").filter((segment) => segment !== "")

/** Node makes a path lexically normal before it resolves its links. */
export const normal = (path: string): string =>
  `/${segments(path)
    .reduce<ReadonlyArray<string>>(
      (names, name) => (name === "." ? names : name === ".." ? names.slice(0, -1) : [...names, name]),
      []
    )
    .join("/")}`

const withoutSlash = (path: string): string => path.replace(/\/+$/, "")
