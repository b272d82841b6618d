/**
 * Effect's `FileSystem` in memory, made from a plain description of a tree. It is POSIX as an unprivileged user on Linux
 * sees it, errors included, and it remembers every call.
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as PlatformError from "effect/PlatformError"
import * as Stream from "effect/Stream"
import * as FakeCalls from "./FakeCalls.ts"
import { Errno, missing } from "./FakeErrno.ts"
import { type Entry, infoOf } from "./FakeInode.ts"
import * as FakeKernel from "./FakeKernel.ts"
import * as FakeTree from "./FakeTree.ts"

export type { Call, Write } from "./FakeCalls.ts"
export { type Code, platformError } from "./FakeErrno.ts"
export type { Meta, Node, Seen, Tree } from "./FakeTree.ts"

export interface FakeFileSystem {
  readonly fileSystem: FileSystem.FileSystem
  readonly layer: Layer.Layer<FileSystem.FileSystem>
  /** Every call so far, in order. */
  readonly calls: ReadonlyArray<FakeCalls.Call>
  /** The calls that wrote something, or tried to. */
  readonly writes: () => ReadonlyArray<FakeCalls.Call & { readonly write: FakeCalls.Write }>
  /** Everything that stands below the root directory, without following links. */
  readonly snapshot: () => Readonly<Record<string, FakeTree.Seen>>
  /** Puts a node there, whatever the permissions are, in place of what was there. */
  readonly put: (path: string, node: FakeTree.Node) => void
  /** How many more bytes the disk takes; a write that does not fit is cut off, and the next one fails. */
  space: number
}

export interface Options {
  /** Who asks; 0 may do everything. */
  readonly user?: number | undefined
  /** Whether names that differ by case or normal form alone are the same, as on macOS. */
  readonly foldsCase?: boolean | undefined
  readonly space?: number | undefined
}

/** The user that asks and owns everything, unless set. */
export const defaultUser = 1000

/**
 * A file system of its own, holding `tree`.
 */
export const make = (tree: FakeTree.Tree = {}, options: Options = {}): FakeFileSystem => {
  const user = options.user ?? defaultUser
  const disk = { space: options.space ?? Infinity }
  const kernel = FakeKernel.make(user, options.foldsCase === true)
  const { allow, walk, existing, find, parentOf, attach, detach, create, list, openInode, resize } = kernel
  const { makeDirectory, makeDirectories, removeTree, owned } = kernel
  const { calls, call, makeFile, writeWhole, readWhole } = FakeCalls.make(kernel, disk)
  const { put, snapshot } = FakeTree.make(kernel)
  let temporary = 0

  const makeTemporary = (method: string, given: { readonly directory?: string | undefined } = {}, name: string) =>
    call(method, given.directory ?? "/tmp", (now) => {
      const directory = given.directory ?? "/tmp"
      if (given.directory === undefined) makeDirectories(directory, now, 0o755)
      const path = `${directory}/${name}${String(temporary++).padStart(6, "0")}`
      makeDirectory(path, now, 0o700)
      return path
    })

  const temporaryFile = (method: string) => (given?: Parameters<FileSystem.FileSystem["makeTempFile"]>[0]) =>
    Effect.flatMap(makeTemporary(method, given, given?.prefix ?? ""), (directory) => {
      const path = `${directory}/file${given?.suffix ?? ""}`
      return Effect.as(writeWhole(method, path, new Uint8Array()), path)
    })

  const fileSystem = FileSystem.make({
    access: (path, options) =>
      call("access", path, () =>
        allow(
          find(path),
          (options?.readable === true ? FakeKernel.may.read : 0) |
            (options?.writable === true ? FakeKernel.may.write : 0)
        )
      ),
    chmod: (path, mode) =>
      call("chmod", path, () => {
        owned(find(path)).mode = mode
      }),
    chown: (path, uid) =>
      call("chown", path, () => {
        const inode = find(path)
        if (user !== 0 && uid !== inode.owner) throw new Errno("EPERM")
        inode.owner = uid
      }),
    copy: (from, to, options) =>
      call(
        "copy",
        from,
        (now) => {
          const source = openInode(from, "r", now, {})
          if (source.type === "Directory") throw new Errno("EISDIR")
          const target = walk(to, { follow: true })
          if (target.inode === undefined) create(target, "File", now, { bytes: source.bytes, mode: source.mode })
          else if (options?.overwrite === true) openInode(to, "w", now, {}).bytes = Uint8Array.from(source.bytes)
        },
        { to }
      ),
    copyFile: (from, to) =>
      Effect.flatMap(readWhole("copyFile", from), (bytes) => writeWhole("copyFile", to, bytes, { flag: "w" })),
    link: (from, to) =>
      call(
        "link",
        from,
        (now) => {
          const inode = find(from, false)
          const place = walk(to, { follow: false })
          if (place.inode !== undefined) throw new Errno("EEXIST")
          if (parentOf(place).device !== inode.device) throw new Errno("EXDEV")
          if (inode.type === "Directory") throw new Errno("EPERM")
          attach(place, inode, now).links++
        },
        { to }
      ),
    lstat: (path) => call("lstat", path, () => infoOf(find(path, false))),
    makeDirectory: (path, given) =>
      call("makeDirectory", path, (now) => {
        const mode = (given?.mode ?? 0o777) & ~FakeKernel.umask
        if (given?.recursive === true) makeDirectories(path, now, mode)
        else makeDirectory(path, now, mode)
      }),
    makeTempDirectory: (given) => makeTemporary("makeTempDirectory", given, given?.prefix ?? ""),
    makeTempDirectoryScoped: (given) =>
      Effect.acquireRelease(makeTemporary("makeTempDirectoryScoped", given, given?.prefix ?? ""), (path) =>
        Effect.orDie(fileSystem.remove(path, { recursive: true, force: true }))
      ),
    makeTempFile: temporaryFile("makeTempFile"),
    makeTempFileScoped: (given) =>
      Effect.acquireRelease(temporaryFile("makeTempFileScoped")(given), (path) =>
        Effect.orDie(fileSystem.remove(path.slice(0, path.lastIndexOf("/")), { recursive: true, force: true }))
      ),
    open: (path, given) => {
      const flag = given?.flag ?? "r"
      return Effect.acquireRelease(
        Effect.map(
          call("open", path, (now) => openInode(path, flag, now, given ?? {})),
          (inode) => makeFile(inode, path, flag)
        ),
        () => Effect.void
      )
    },
    readDirectory: (path, given) =>
      call("readDirectory", path, () => {
        const below = (prefix: string, entries: Iterable<Entry>): Array<string> =>
          [...entries].flatMap(({ name, inode }) =>
            given?.recursive === true && inode.type === "Directory"
              ? [`${prefix}${name}`, ...below(`${prefix}${name}/`, inode.entries.values())]
              : [`${prefix}${name}`]
          )
        return below("", list(path))
      }),
    readDirectoryEntries: (path) =>
      call("readDirectoryEntries", path, () => list(path).map(({ name, inode }) => ({ name, type: inode.type }))),
    readFile: (path) => readWhole("readFile", path),
    readLink: (path) =>
      call("readLink", path, () => {
        const inode = find(path, false)
        if (inode.type !== "SymbolicLink") throw new Errno("EINVAL")
        return inode.target
      }),
    realPath: (path) =>
      call("realPath", path, () => {
        const place = walk(FakeKernel.normal(path), { follow: true })
        existing(place)
        return `${place.trail.map(({ name }) => name).join("/")}/${place.name}`
      }),
    remove: (path, given) =>
      call("remove", path, (now) => {
        const place = missing(() => walk(path, { follow: false }))
        if (place?.inode !== undefined) removeTree(place, place.inode, given?.recursive === true, now)
        else if (given?.force !== true) throw new Errno("ENOENT")
      }),
    rename: (from, to) =>
      call(
        "rename",
        from,
        (now) => {
          for (const path of [from, to]) walk(`${path.slice(0, path.lastIndexOf("/"))}/.`, { follow: true })
          const source = walk(from, { follow: false })
          const inode = existing(source)
          const target = walk(to, { follow: false })
          if (target.inode === inode) return
          if (parentOf(target).device !== inode.device) throw new Errno("EXDEV")
          if (target.trail.some((entry) => entry.inode === inode)) throw new Errno("EINVAL")
          if (target.inode?.type === "Directory") {
            if (inode.type !== "Directory") throw new Errno("EISDIR")
            if (target.inode.entries.size > 0) throw new Errno("ENOTEMPTY")
          } else if (inode.type === "Directory" && target.inode !== undefined) throw new Errno("ENOTDIR")
          allow(parentOf(target), FakeKernel.may.write | FakeKernel.may.search)
          detach(source, now)
          inode.links++
          attach(target, inode, now)
        },
        { to }
      ),
    stat: (path) => call("stat", path, () => infoOf(find(path))),
    symlink: (target, path) =>
      call(
        "symlink",
        path,
        (now) => {
          const place = walk(path, { follow: false })
          if (place.inode !== undefined) throw new Errno("EEXIST")
          create(place, "SymbolicLink", now, { target })
        },
        { to: target }
      ),
    truncate: (path, length) =>
      call("truncate", path, (now) => resize(openInode(path, "r+", now, {}), length ?? 0, now)),
    utimes: (path, _atime, mtime) =>
      call("utimes", path, () => {
        owned(find(path)).mtime = typeof mtime === "number" ? mtime * 1000 : mtime.getTime()
      }),
    watch: (path) =>
      Stream.fail(
        PlatformError.badArgument({ module: "FileSystem", method: "watch", description: `${path} cannot be watched` })
      ),
    writeFile: (path, data, given) => writeWhole("writeFile", path, data, given)
  })

  for (const [path, node] of Object.entries(tree)) put(path, node)
  return Object.assign(disk, {
    fileSystem,
    layer: Layer.succeed(FileSystem.FileSystem, fileSystem),
    calls,
    writes: () => calls.flatMap((entry) => (entry.write === undefined ? [] : [{ ...entry, write: entry.write }])),
    snapshot,
    put
  })
}

/**
 * A layer over a file system that nobody else sees.
 */
export const layer = (tree: FakeTree.Tree, options?: Options): Layer.Layer<FileSystem.FileSystem> =>
  Layer.suspend(() => make(tree, options).layer)
