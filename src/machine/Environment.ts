import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/**
 * The environment of a process could not be read, for a reason other than permission or having gone.
 */
export class EnvironmentError extends Schema.TaggedError<EnvironmentError>()("EnvironmentError", {
  path: Schema.String,
  cause: Schema.Defect()
}) {
  override get message(): string {
    return `${this.path} could not be read; ask again`
  }
}

/**
 * An environment as `/proc` shows it.
 */
export const parse = (text: string): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(
    text.split("\0").map((entry) => {
      const end = entry.indexOf("=")
      return [entry.slice(0, end), entry.slice(end + 1)]
    })
  )

/**
 * The environment that a process was started with. `None` where it may not be read, has gone, or the system has no
 * `/proc`.
 */
export const read = (
  fs: FileSystem.FileSystem,
  pid: number
): Effect.Effect<Option.Option<Readonly<Record<string, string | undefined>>>, EnvironmentError> => {
  const path = `/proc/${pid}/environ`
  return fs.readFileString(path).pipe(
    Effect.map((text) => Option.some(parse(text))),
    Effect.catchReasons("PlatformError", {
      NotFound: () => Effect.succeedNone,
      PermissionDenied: () => Effect.succeedNone
    }),
    Effect.catch((cause) =>
      cause.cause instanceof Error && "code" in cause.cause && cause.cause.code === "ESRCH"
        ? Effect.succeedNone
        : Effect.fail(new EnvironmentError({ path, cause }))
    )
  )
}
