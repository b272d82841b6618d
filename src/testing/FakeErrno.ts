/**
 * Failures of the file system in memory: thrown as an errno within, given as Effect's Node layer would.
 */
import * as PlatformError from "effect/PlatformError"

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

export class Errno extends Error {
  readonly code: Code
  constructor(code: Code) {
    super(code)
    this.code = code
  }
}

/** Thrown where the kernel would wait for the other end of a FIFO. */
export const blocks = Symbol("blocks")

export const fail = (code: Code): never => {
  throw new Errno(code)
}

/** What is found, or `undefined` where something on the way is not there. */
export const missing = <A>(walk: () => A): A | undefined => {
  try {
    return walk()
  } catch (cause) {
    if (cause instanceof Errno && cause.code === "ENOENT") return undefined
    throw cause
  }
}
