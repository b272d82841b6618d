import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"

/** Where package managers put executables, for a `PATH` as bare as a service manager leaves it. */
const wellKnownDirectories: ReadonlyArray<string> = [
  "/usr/local/bin",
  "/usr/bin",
  "/bin",
  "/opt/homebrew/bin",
  "/home/linuxbrew/.linuxbrew/bin",
  "/opt/local/bin",
  "/usr/pkg/bin",
  "/run/current-system/sw/bin",
  "/snap/bin"
]

/**
 * The first regular executable file of that name on `path` and in the well-known directories, or what was looked for in
 * vain. Relative entries of `path` are passed over: what they name depends on where the process happens to stand.
 */
export const find = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  options: { readonly name: string; readonly path: string | undefined; readonly given: string | undefined }
): Effect.fn.Return<string, string> {
  const directories = [
    ...(options.path ?? "").split(":").filter((directory) => directory.startsWith("/")),
    ...wellKnownDirectories
  ]
  const candidates =
    options.given === undefined ? directories.map((directory) => `${directory}/${options.name}`) : [options.given]
  for (const candidate of candidates) {
    const info = yield* Effect.option(fs.stat(candidate))
    if (Option.isSome(info) && info.value.type === "File" && (info.value.mode & 0o111) !== 0) return candidate
  }
  return yield* Effect.fail(
    options.given ?? `no executable file named ${options.name} on PATH or where package managers put it`
  )
})
