/**
 * Effect's `FileSystem` in memory, made from a plain description of a tree. It is POSIX as an unprivileged user on Linux
 * sees it, errors included, and it remembers every call.
 */
import * as ByteSize from "effect/ByteSize"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as PlatformError from "effect/PlatformError"
import * as Stream from "effect/Stream"

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
 * One call as it arrived. Those on an open file are named `File.…` and carry the number of the handle; `write` is what
 * the kernel was handed and took.
 */
export interface Call {
  readonly method: string
  readonly path: string
  readonly to?: string | undefined
  readonly handle?: number | undefined
  readonly write?: Write | undefined
}

/**
 * One write as the kernel saw it: `bytes` were taken, at `offset`, of `requested` bytes.
 */
export interface Write {
  readonly offset: number
  readonly bytes: Uint8Array
  readonly requested: number
}

/**
 * A node as `snapshot` gives it; `make` takes it back.
 */
export type Seen = Required<Meta> &
  ({ readonly bytes: Uint8Array } | { readonly dir: true } | { readonly fifo: true } | { readonly symlink: string })

export interface FakeFileSystem {
  readonly fileSystem: FileSystem.FileSystem
  readonly layer: Layer.Layer<FileSystem.FileSystem>
  /** Every call so far, in order. */
  readonly calls: ReadonlyArray<Call>
  /** The calls that wrote something, or tried to. */
  readonly writes: () => ReadonlyArray<Call & { readonly write: Write }>
  /** Everything that stands below the root directory, without following links. */
  readonly snapshot: () => Readonly<Record<string, Seen>>
  /** Puts a node there, whatever the permissions are, in place of what was there. */
  readonly put: (path: string, node: Node) => void
  /** How many more bytes the disk takes; a write that does not fit is cut off, and the next one fails. */
  space: number
}

export interface Options {
  /** Who asks; 0 may do everything. */
  readonly user?: number | undefined
  /** Whether names that differ by case alone are the same, as on macOS. */
  readonly foldsCase?: boolean | undefined
  readonly space?: number | undefined
}

/** The user that asks and owns everything, unless set. */
export const defaultUser = 1000

/**
 * A failure as Effect's Node layer would give it for an errno.
 */
export const platformError = (code: Code, method: string, path: string): PlatformError.PlatformError => {
  const syscall = syscalls[method] ?? method
  return PlatformError.systemError({
    _tag: tags[code] ?? "Unknown",
    module: "FileSystem",
    method,
    syscall,
    pathOrDescriptor: path,
    cause: Object.assign(new Error(`${code}: ${explanations[code]}, ${syscall} '${path}'`), { code, syscall, path })
  })
}

const explanations = {
  EACCES: "permission denied",
  EEXIST: "file already exists",
  EBADF: "bad file descriptor",
  EBUSY: "resource busy or locked",
  EINVAL: "invalid argument",
  EIO: "i/o error",
  EISDIR: "illegal operation on a directory",
  ELOOP: "too many symbolic links encountered",
  EMFILE: "too many open files",
  ENAMETOOLONG: "name too long",
  ENOENT: "no such file or directory",
  ENOSPC: "no space left on device",
  ENOTDIR: "not a directory",
  ENOTEMPTY: "directory not empty",
  ERR_FS_EISDIR: "Path is a directory",
  EPERM: "operation not permitted",
  EROFS: "read-only file system",
  EXDEV: "cross-device link not permitted"
}

/** An errno that this file system knows. */
export type Code = keyof typeof explanations

const tags: Partial<Record<Code, PlatformError.SystemErrorTag>> = {
  EACCES: "PermissionDenied",
  EPERM: "PermissionDenied",
  EEXIST: "AlreadyExists",
  EISDIR: "BadResource",
  ENOTDIR: "BadResource",
  ELOOP: "BadResource",
  EBUSY: "Busy",
  ENOENT: "NotFound"
}

const syscalls: Readonly<Record<string, string>> = {
  makeDirectory: "mkdir",
  readDirectory: "scandir",
  readDirectoryEntries: "scandir",
  readFile: "open",
  readLink: "readlink",
  realPath: "lstat",
  remove: "rm",
  utimes: "utime",
  writeAll: "write",
  writeFile: "open"
}

class Errno extends Error {
  readonly code: Code
  constructor(code: Code) {
    super(code)
    this.code = code
  }
}

/** Thrown where the kernel would wait for the other end of a FIFO. */
const blocks = Symbol("blocks")

interface Inode {
  readonly ino: bigint
  readonly device: bigint
  readonly type: "File" | "Directory" | "FIFO" | "SymbolicLink"
  readonly target: string
  readonly entries: Map<string, Entry>
  bytes: Uint8Array<ArrayBuffer>
  mode: number
  owner: number
  mtime: number
  links: number
}

interface Entry {
  readonly name: string
  readonly inode: Inode
}

/** Where a path leads: the directory that holds its last name, and what stands there. */
interface Place {
  readonly trail: ReadonlyArray<Entry>
  readonly name: string
  readonly inode: Inode | undefined
}

const may = { read: 4, write: 2, search: 1 } as const
const umask = 0o022

/**
 * A file system of its own, holding `tree`.
 */
export const make = (tree: Tree = {}, options: Options = {}): FakeFileSystem => {
  const user = options.user ?? defaultUser
  const calls: Array<Call> = []
  let inodes = 1n
  let handles = 2
  let temporary = 0

  const keyOf = (name: string): string => (options.foldsCase === true ? name.toLowerCase() : name)

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

  const call = <A>(
    method: string,
    path: string,
    body: (now: number) => A,
    about: Omit<Call, "method" | "path"> = {}
  ): Effect.Effect<A, PlatformError.PlatformError> =>
    Clock.clockWith((clock) => {
      calls.push({ method, path, ...about })
      const plain = method.replace("File.", "")
      if (path.includes("\0") || about.to?.includes("\0") === true) {
        return Effect.fail(
          plain.startsWith("readDirectory")
            ? platformError("EINVAL", plain, path)
            : PlatformError.badArgument({ module: "FileSystem", method: plain, description: "path holds a null byte" })
        )
      }
      try {
        return Effect.succeed(body(clock.currentTimeMillisUnsafe()))
      } catch (cause) {
        if (cause === blocks) return Effect.never
        if (cause instanceof Errno) return Effect.fail(platformError(cause.code, plain, path))
        throw cause
      }
    })

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

  /** What one write(2) does. It is logged by the caller, which knows the handle. */
  const store = (inode: Inode, offset: number, requested: Uint8Array, now: number): Write => {
    const bytes = Uint8Array.from(requested.subarray(0, fake.space))
    fake.space -= bytes.length
    if (bytes.length > 0) {
      resize(inode, Math.max(inode.bytes.length, offset + bytes.length), now)
      inode.bytes.set(bytes, offset)
    }
    return { offset, bytes, requested: requested.length }
  }

  const makeFile = (inode: Inode, path: string, flag: FileSystem.OpenFlag): FileSystem.File => {
    const handle = ++handles
    const appends = flag.startsWith("a")
    let position = 0

    const write = (method: string, bytes: Uint8Array): Effect.Effect<number, PlatformError.PlatformError> =>
      Clock.clockWith((clock) => {
        if (!isWritable(flag)) return call(method, path, () => fail("EBADF"), { handle })
        const written = store(inode, appends ? inode.bytes.length : position, bytes, clock.currentTimeMillisUnsafe())
        if (!appends) position += written.bytes.length
        return call(
          method,
          path,
          () => (written.bytes.length === 0 && bytes.length > 0 ? fail("ENOSPC") : written.bytes.length),
          { handle, write: written }
        )
      })

    const writeAll = (bytes: Uint8Array): Effect.Effect<void, PlatformError.PlatformError> =>
      bytes.length === 0
        ? Effect.void
        : Effect.flatMap(write("File.writeAll", bytes), (taken) =>
            taken < bytes.length ? writeAll(bytes.subarray(taken)) : Effect.void
          )

    const read = (method: string, buffer: Uint8Array, options?: FileSystem.File.ReadOptions) =>
      call(
        method,
        path,
        () => {
          if (inode.type === "Directory") throw new Errno("EISDIR")
          if (!isReadable(flag)) throw new Errno("EBADF")
          const from = options?.position === undefined ? position : Number(options.position)
          const piece = inode.bytes.subarray(from, from + buffer.length)
          buffer.set(piece)
          if (options?.position === undefined) position += piece.length
          return piece.length
        },
        { handle }
      )

    return {
      [FileSystem.FileTypeId]: FileSystem.FileTypeId,
      stat: call("File.stat", path, () => infoOf(inode), { handle }),
      sync: call("File.sync", path, () => undefined, { handle }),
      seek: (offset, from) =>
        Effect.suspend(() => {
          const to = from === "start" ? Number(offset) : position + Number(offset)
          if (to < 0) {
            return Effect.fail(
              PlatformError.badArgument({
                module: "FileSystem",
                method: "seek",
                description: "Cannot seek before the start of the file"
              })
            )
          }
          position = to
          return Effect.succeed(BigInt(to))
        }),
      read: (buffer, options) => read("File.read", buffer, options),
      readAlloc: (size, options) =>
        Effect.suspend(() => {
          const buffer = new Uint8Array(size)
          return Effect.map(read("File.readAlloc", buffer, options), (taken) =>
            taken === 0 ? Option.none() : Option.some(buffer.subarray(0, taken))
          )
        }),
      truncate: (length) => call("File.truncate", path, (now) => resize(inode, length ?? 0, now), { handle }),
      write: (bytes) => write("File.write", bytes),
      writeAll
    }
  }

  const writeWhole = (
    method: string,
    path: string,
    data: Uint8Array,
    options: { readonly flag?: FileSystem.OpenFlag | undefined; readonly mode?: number | undefined } = {}
  ): Effect.Effect<void, PlatformError.PlatformError> => {
    const flag = options.flag ?? "w"
    return Effect.flatMap(
      call(method, path, (now) => openInode(path, flag, now, options)),
      (inode) => makeFile(inode, path, flag).writeAll(data)
    )
  }

  const readWhole = (method: string, path: string): Effect.Effect<Uint8Array, PlatformError.PlatformError> =>
    call(method, path, (now) => {
      const inode = openInode(path, "r", now, {})
      if (inode.type === "Directory") throw new Errno("EISDIR")
      return Uint8Array.from(inode.bytes)
    })

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

  const makeTemporary = (method: string, given: { readonly directory?: string | undefined } = {}, name: string) =>
    call(method, given.directory ?? "/tmp", (now) => {
      const directory = given.directory ?? "/tmp"
      if (given.directory === undefined) makeDirectories(directory, now, 0o755)
      const path = `${directory}/${name}${String(temporary++).padStart(6, "0")}`
      makeDirectory(path, now, 0o700)
      return path
    })

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

  const temporaryFile = (method: string) => (given?: Parameters<FileSystem.FileSystem["makeTempFile"]>[0]) =>
    Effect.flatMap(makeTemporary(method, given, given?.prefix ?? ""), (directory) => {
      const path = `${directory}/file${given?.suffix ?? ""}`
      return Effect.as(writeWhole(method, path, new Uint8Array()), path)
    })

  const fileSystem = FileSystem.make({
    access: (path, options) =>
      call("access", path, () =>
        allow(find(path), (options?.readable === true ? may.read : 0) | (options?.writable === true ? may.write : 0))
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
        const mode = (given?.mode ?? 0o777) & ~umask
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
        const place = walk(normal(path), { follow: true })
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
          allow(parentOf(target), may.write | may.search)
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

  const owned = (inode: Inode): Inode => {
    if (user !== 0 && inode.owner !== user) throw new Errno("EPERM")
    return inode
  }

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

  const fake: FakeFileSystem = {
    fileSystem,
    layer: Layer.succeed(FileSystem.FileSystem, fileSystem),
    calls,
    writes: () => calls.flatMap((entry) => (entry.write === undefined ? [] : [{ ...entry, write: entry.write }])),
    snapshot,
    put,
    space: options.space ?? Infinity
  }
  for (const [path, node] of Object.entries(tree)) put(path, node)
  return fake
}

/**
 * A layer over a file system that nobody else sees.
 */
export const layer = (tree: Tree, options?: Options): Layer.Layer<FileSystem.FileSystem> =>
  Layer.suspend(() => make(tree, options).layer)

const encoder = new TextEncoder()

const fail = (code: Code): never => {
  throw new Errno(code)
}

const isReadable = (flag: FileSystem.OpenFlag): boolean => flag === "r" || flag.includes("+")

const isWritable = (flag: FileSystem.OpenFlag): boolean => flag !== "r"

/** The place, or `undefined` where a directory on the way is not there. */
const missing = (walk: () => Place): Place | undefined => {
  try {
    return walk()
  } catch (cause) {
    if (cause instanceof Errno && cause.code === "ENOENT") return undefined
    throw cause
  }
}

/** A slash at the end asks for a directory, as `.` does. */
const segments = (path: string): Array<string> =>
  (path.endsWith("/") && path !== "/" ? `${path}.` : path).split("/").filter((segment) => segment !== "")

/** Node makes a path lexically normal before it resolves its links. */
const normal = (path: string): string =>
  `/${segments(path)
    .reduce<ReadonlyArray<string>>(
      (names, name) => (name === "." ? names : name === ".." ? names.slice(0, -1) : [...names, name]),
      []
    )
    .join("/")}`

const withoutSlash = (path: string): string => path.replace(/\/+$/, "")

const meta = ({ mode, owner, mtime, device }: Meta) => ({
  ...(mode === undefined ? {} : { mode }),
  ...(owner === undefined ? {} : { owner }),
  ...(mtime === undefined ? {} : { mtime }),
  ...(device === undefined ? {} : { device })
})

const typeBits = { File: 0o100000, Directory: 0o040000, FIFO: 0o010000, SymbolicLink: 0o120000 }

const infoOf = (inode: Inode): FileSystem.File.Info => {
  const date = Option.some(new Date(inode.mtime))
  const size = inode.type === "SymbolicLink" ? encoder.encode(inode.target).length : inode.bytes.length
  return {
    type: inode.type,
    mtime: date,
    atime: date,
    birthtime: date,
    dev: inode.device,
    ino: Option.some(inode.ino),
    mode: typeBits[inode.type] | inode.mode,
    nlink: Option.some(BigInt(inode.links)),
    uid: Option.some(inode.owner),
    gid: Option.some(inode.owner),
    rdev: Option.some(0n),
    size: ByteSize.bytes(size),
    blksize: Option.some(ByteSize.bytes(4096)),
    blocks: Option.some(BigInt(Math.ceil(size / 512)))
  }
}
