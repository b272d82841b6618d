/**
 * What becomes of ignored paths when a worktree is removed.
 */
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Regenerable from "./core/Regenerable.ts"

/**
 * Those of the ignored entries of a worktree, as git writes them, that no tool is known to make again. A single file in a
 * regenerable directory is one of them: git names it by itself where something else there is not ignored.
 */
export const precious = (
  fs: FileSystem.FileSystem,
  root: string,
  ignored: ReadonlyArray<string>,
  settings: Regenerable.Settings
): Effect.Effect<ReadonlyArray<string>> =>
  Effect.gen(function* () {
    const names = new Map<string, ReadonlyArray<string>>()
    for (const directory of Regenerable.parents(ignored)) {
      // Without a marker nothing there is regenerable.
      names.set(directory, yield* Effect.orElseSucceed(fs.readDirectory(`${root}/${directory}`), () => []))
    }
    const beside = (directory: string) => names.get(directory)
    return ignored.filter(
      (entry) => !Regenerable.covering(entry, beside, settings).some(({ path }) => path === entry.replace(/\/$/, ""))
    )
  })
