import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type AppendOnlyFiles, appendixOf, type Content, FileFault, readEachBy, scanBy } from "./AppendOnlyFiles.ts"
import * as LinkFile from "./core/LinkFile.ts"

/**
 * Files by their path. Layers that are given the same map see each other's writes.
 */
export type Files = Map<string, Content>

/**
 * `AppendOnlyFiles` over a map. Directories exist as long as something is in them.
 */
export const make = (files: Files): AppendOnlyFiles => {
  const missing = (path: string) => new FileFault({ kind: "Missing", path })
  const find = (path: string): Effect.Effect<Content, FileFault> =>
    Effect.suspend(() => {
      const content = files.get(path)
      return content === undefined ? Effect.fail(missing(path)) : Effect.succeed(content)
    })
  const read = (path: string): Effect.Effect<Content, FileFault> =>
    Effect.filterOrFail(
      find(path),
      ({ bytes }) => bytes.length <= LinkFile.largest,
      () => new FileFault({ kind: "TooLarge", path })
    )
  const names = (directory: string) =>
    Effect.suspend(() => {
      const inside = [...files.keys()].filter((path) => path.startsWith(`${directory}/`))
      return inside.length === 0
        ? Effect.fail(missing(directory))
        : Effect.succeed([...new Set(inside.map((path) => path.slice(directory.length + 1).split("/", 1)[0] ?? ""))])
    })
  const readEach = readEachBy(read)
  return {
    names,
    read,
    readEach,
    scan: scanBy({ names, readEach }),
    chunks: (path, onChunk) => Effect.map(find(path), ({ bytes }) => onChunk(bytes)),
    append: (path, options) =>
      Effect.gen(function* () {
        const there = files.get(path)
        if (there === undefined && !options.create) return yield* missing(path)
        const old = there?.bytes ?? new Uint8Array()
        const seen =
          options.shows === "LastByte" ? old.subarray(-1) : there === undefined ? old : (yield* read(path)).bytes
        const added = yield* Effect.fromResult(appendixOf(path, options, seen))
        if (added === undefined) return false
        const bytes = new Uint8Array(old.length + added.length)
        bytes.set(old)
        bytes.set(added, old.length)
        files.set(path, { bytes, modifiedAt: yield* Clock.currentTimeMillis })
        return true
      }),
    move: (from, to) =>
      Effect.flatMap(find(from), (content) => {
        if (files.has(to)) return Effect.fail(new FileFault({ kind: "Taken", path: to }))
        files.set(to, content)
        files.delete(from)
        return Effect.succeed(content.bytes)
      })
  }
}
