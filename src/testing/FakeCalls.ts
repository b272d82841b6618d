/**
 * Calls of the file system in memory, each of which is remembered, and files that are open.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as PlatformError from "effect/PlatformError"
import { blocks, Errno, fail, platformError } from "./FakeErrno.ts"
import { type Inode, infoOf } from "./FakeInode.ts"
import { type FakeKernel, isReadable, isWritable } from "./FakeKernel.ts"

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
 * Ways to call, to open a file, and to read or write it whole. `disk` is asked again how much it takes.
 */
export const make = ({ openInode, resize }: FakeKernel, disk: { space: number }) => {
  const calls: Array<Call> = []
  let handles = 2

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

  /** What one write(2) does. It is logged by the caller, which knows the handle. */
  const store = (inode: Inode, offset: number, requested: Uint8Array, now: number): Write => {
    const bytes = Uint8Array.from(requested.subarray(0, disk.space))
    disk.space -= bytes.length
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

  return { calls, call, makeFile, writeWhole, readWhole }
}
