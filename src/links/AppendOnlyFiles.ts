/**
 * The few file operations that the sidecar and the ledger rest on, so that each of their rules is written once for
 * every kind of file system.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as LinkFile from "./core/LinkFile.ts"

/**
 * Why a file operation gave no answer. `Missing`: the name itself is not there. `NotRegular`: a directory, FIFO, socket
 * or device stands there; it was not opened in a way that can block. `TooLarge`: it holds, or would hold, more than
 * `LinkFile.largest`. `Taken`:
 * the name to move to is in use. `NameFolds`: the file system folds names, and the name on disk has another spelling.
 * `Failed`: anything else.
 */
export class FileFault extends Data.TaggedError("FileFault")<{
  readonly kind: "Missing" | "NotRegular" | "TooLarge" | "Taken" | "NameFolds" | "Failed"
  readonly path: string
  readonly cause?: unknown
}> {
  override get message(): string {
    return `${this.path}: ${explanations[this.kind]}${this.cause === undefined ? "" : ` (${describe(this.cause)})`}`
  }
}

const explanations: Record<FileFault["kind"], string> = {
  Missing: "is not there",
  NotRegular: "is not a regular file",
  TooLarge: "is larger than 1 MiB",
  Taken: "is in use already",
  NameFolds: "exists under another spelling, and this file system folds names",
  Failed: "could not be read or written whole"
}

const describe = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/**
 * A whole file, read once. `modifiedAt` is in milliseconds since the epoch.
 */
export interface Content {
  readonly bytes: Uint8Array
  readonly modifiedAt: number
  /** Why another user may have written it, where that is known. */
  readonly exposed?: string | undefined
}

/**
 * Only regular files are read and appended to, a symbolic link to one included; nothing here can block on a FIFO.
 * A file that is larger than `LinkFile.largest` is not read whole, and no file grows beyond that when it is shown whole.
 */
export interface AppendOnlyFiles {
  /** The names in a directory, without `.` and `..`, in no particular order. */
  readonly names: (directory: string) => Effect.Effect<ReadonlyArray<string>, FileFault>
  readonly read: (path: string) => Effect.Effect<Content, FileFault>
  /**
   * Reads the files at `pathOf` each of `names`, in any order. The bytes handed to `visit` are only valid until it
   * returns. Holds the event loop for moments only.
   */
  readonly readEach: (
    names: ReadonlyArray<string>,
    pathOf: (name: string) => string,
    visit: (name: string, content: Result.Result<Content, FileFault>) => void
  ) => Effect.Effect<void>
  /** Reads every file of a directory whose name `wants` takes. Otherwise as `readEach`; only the bytes are given. */
  readonly scan: (
    directory: string,
    wants: (name: string) => boolean,
    visit: (name: string, content: Result.Result<Pick<Content, "bytes">, FileFault>) => void
  ) => Effect.Effect<void, FileFault>
  /** Hands the file over piece by piece, so that memory does not grow with it. */
  readonly chunks: (path: string, onChunk: (chunk: Uint8Array) => void) => Effect.Effect<void, FileFault>
  /**
   * Shows `appendix` what is in the file, and hands the kernel one write of its answer, or none if that is `undefined`.
   * With `create`, directories and file are made, readable by their owner alone. Answers whether anything was written.
   * `true` is a promise: when the file was moved away meanwhile, what was written is written again under its name.
   */
  readonly append: (path: string, options: Append) => Effect.Effect<boolean, FileFault>
  /**
   * Moves a regular file, never over another one, and gives the bytes that it held once it was moved. The directory it
   * goes to is made.
   */
  readonly move: (from: string, to: string) => Effect.Effect<Uint8Array, FileFault>
}

/**
 * What to append. `shows` says how much of the file `appendix` is shown: all of it, or its last byte (none, when the
 * file is empty) whatever its size.
 */
export interface Append {
  readonly create: boolean
  readonly shows: "Whole" | "LastByte"
  readonly appendix: (seen: Uint8Array) => Uint8Array | undefined
}

/** How often an append starts over because the file was moved away under it. */
export const mostMoves = 8

/** The appendix, unless the file would be too large to be read with it. */
export const appendixOf = (
  path: string,
  { shows, appendix }: Append,
  seen: Uint8Array
): Result.Result<Uint8Array | undefined, FileFault> => {
  const bytes = appendix(seen)
  return shows === "Whole" && bytes !== undefined && seen.length + bytes.length > LinkFile.largest
    ? Result.fail(new FileFault({ kind: "TooLarge", path }))
    : Result.succeed(bytes)
}

/**
 * Whether the file at `directory/name`, known to exist, is spelled just so on disk. On a file system that folds case
 * or normalisation a file of another name answers too; only then is the directory listed.
 */
export const isSpelledSo = (
  look: {
    readonly isThere: (path: string) => Effect.Effect<boolean, FileFault>
    readonly names: AppendOnlyFiles["names"]
  },
  directory: string,
  name: string
): Effect.Effect<boolean, FileFault> => {
  const other = otherSpelling(name)
  if (other === name) return Effect.succeed(true)
  const suspect = other === undefined ? Effect.succeed(true) : look.isThere(`${directory}/${other}`)
  return Effect.flatMap(suspect, (suspect) =>
    suspect ? Effect.map(look.names(directory), (names) => names.includes(name)) : Effect.succeed(true)
  )
}

/**
 * A name that a file system that folds names takes for `name`: `name` itself when there is no other, and `undefined`
 * when none can be told, so that only a listing says how the file is spelled.
 */
export const otherSpelling = (name: string): string | undefined => {
  if (!/^[\u0000-\u007f]*$/.test(name)) return undefined
  const upper = name.toUpperCase()
  return upper === name ? name.toLowerCase() : upper
}

/**
 * A path cut into its directory and its name.
 */
export const splitPath = (path: string): { readonly directory: string; readonly name: string } => {
  const slash = path.lastIndexOf("/")
  return { directory: path.slice(0, slash), name: path.slice(slash + 1) }
}

/** How many files are read side by side where reading is not synchronous; the file descriptors of a process are few. */
const concurrency = 16

/**
 * `readEach` by one `read` after another, a few of them side by side.
 */
export const readEachBy =
  <E>(read: (path: string) => Effect.Effect<Content, E>) =>
  (
    names: ReadonlyArray<string>,
    pathOf: (name: string) => string,
    visit: (name: string, content: Result.Result<Content, E>) => void
  ): Effect.Effect<void> =>
    Effect.forEach(names, (name) => Effect.map(Effect.result(read(pathOf(name))), (content) => visit(name, content)), {
      concurrency,
      discard: true
    })

/**
 * `scan` by a listing, then one `read` after another.
 */
export const scanBy =
  ({ names, readEach }: Pick<AppendOnlyFiles, "names" | "readEach">): AppendOnlyFiles["scan"] =>
  (directory, wants, visit) =>
    Effect.flatMap(names(directory), (names) => readEach(names.filter(wants), (name) => `${directory}/${name}`, visit))
