/**
 * Remotes that a file each describes, as git kept them before its configuration did, and still reads them.
 */
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Shell from "../shared/core/Shell.ts"

/**
 * The first of them, which may fetch and push whatever it says, and what makes it one of today. Those in `branches/` fetch
 * one branch.
 */
export const sharing = (fs: FileSystem.FileSystem, commonDirectory: string): Effect.Effect<string | undefined> =>
  fs.readDirectory(`${commonDirectory}/remotes`).pipe(
    Effect.map((names) => {
      const name = names.toSorted()[0]
      if (name === undefined) return undefined
      const convert = Shell.command("git", `--git-dir=${commonDirectory}`, "remote", "rename", name, name)
      return `what ${Shell.quote(name)} fetches may cover refs/reclaimed; \`${convert}\` makes it a setting`
    }),
    Effect.catchReason("PlatformError", "NotFound", () => Effect.undefined),
    Effect.catch(({ message }) => Effect.succeed(message))
  )
