import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import type { PlatformError } from "effect/PlatformError"
import * as OtherWriters from "./OtherWriters.ts"

/**
 * What stands at a path that is to be read and never waited for nor followed.
 */
export type RegularFile = Data.TaggedEnum<{
  Nothing: {}
  /** `size` is what `stat` tells. */
  File: { readonly size: number; readonly text: string }
  Broken: { readonly why: string }
}>

export const { Nothing, File, Broken, $is, $match } = Data.taggedEnum<RegularFile>()

/**
 * Reads a regular file of at most `maxBytes`, without a byte-order mark that it begins with. A link, a FIFO, a directory,
 * a larger file and one that is not UTF-8 are broken; so is one that another user than `own.user` may have written, where
 * `own` is given.
 */
export const read = (
  fs: FileSystem.FileSystem,
  path: string,
  maxBytes: number,
  own?: { readonly user: number | undefined } | undefined
): Effect.Effect<RegularFile> =>
  Effect.map(readExact(fs, path, maxBytes, own), (file) =>
    file._tag === "File" ? File({ ...file, text: withoutMark(file.text) }) : file
  )

/**
 * The same with its byte-order mark, for who is to write the file again.
 */
const readExact = (
  fs: FileSystem.FileSystem,
  path: string,
  maxBytes: number,
  own?: { readonly user: number | undefined } | undefined
): Effect.Effect<RegularFile> =>
  Effect.gen(function* () {
    const info = yield* fs.lstat(path)
    if (info.type !== "File") return Broken({ why: `it is a ${info.type}, not a regular file` })
    if (info.size > maxBytes) return Broken({ why: `it is larger than ${maxBytes} bytes` })
    const exposed = own && (yield* OtherWriters.why(info, own.user))
    if (exposed !== undefined) return Broken({ why: `it ${exposed}` })
    const text = decode(yield* fs.readFile(path))
    return text === undefined ? Broken({ why: "it is not UTF-8" }) : File({ size: Number(info.size), text })
  }).pipe(
    Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed(Nothing())),
    Effect.catch((cause: PlatformError) => Effect.succeed(Broken({ why: cause.message })))
  )

/**
 * The text of UTF-8, without a byte-order mark before it; `undefined` when it is none.
 */
export const textOf = (bytes: Uint8Array): string | undefined => {
  const text = decode(bytes)
  return text === undefined ? undefined : withoutMark(text)
}

const withoutMark = (text: string): string => text.replace(/^\ufeff/, "")

const decode = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
