import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type AppendOnlyFiles, type Content, FileFault, readEachBy } from "./AppendOnlyFiles.ts"

/**
 * Files by their path. Layers that are given the same map see each other's writes.
 */
export type Files = Map<string, Content>

/**
 * `AppendOnlyFiles` over a map. Directories exist as long as something is in them.
 */
export const make = (files: Files): AppendOnlyFiles => {
  const missing = (path: string) => new FileFault({ kind: "Missing", path })
  const read = (path: string): Effect.Effect<Content, FileFault> =>
    Effect.suspend(() => {
      const content = files.get(path)
      return content === undefined ? Effect.fail(missing(path)) : Effect.succeed(content)
    })
  return {
    names: (directory) =>
      Effect.suspend(() => {
        const inside = [...files.keys()].filter((path) => path.startsWith(`${directory}/`))
        return inside.length === 0
          ? Effect.fail(missing(directory))
          : Effect.succeed([...new Set(inside.map((path) => path.slice(directory.length + 1).split("/", 1)[0] ?? ""))])
      }),
    read,
    readEach: readEachBy(read),
    chunks: (path, onChunk) => Effect.map(read(path), ({ bytes }) => onChunk(bytes)),
    append: (path, { create, appendix }) =>
      Effect.flatMap(Clock.currentTimeMillis, (modifiedAt) => {
        const old = files.get(path)?.bytes ?? (create ? new Uint8Array() : undefined)
        if (old === undefined) return Effect.fail(missing(path))
        const added = appendix(old.at(-1))
        if (added === undefined) return Effect.succeed(false)
        const bytes = new Uint8Array(old.length + added.length)
        bytes.set(old)
        bytes.set(added, old.length)
        files.set(path, { bytes, modifiedAt })
        return Effect.succeed(true)
      }),
    move: (from, to) =>
      Effect.flatMap(read(from), (content) => {
        if (files.has(to)) return Effect.fail(new FileFault({ kind: "Taken", path: to }))
        files.set(to, content)
        files.delete(from)
        return Effect.void
      })
  }
}
