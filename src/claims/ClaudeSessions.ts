import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { PlatformError } from "effect/PlatformError"
import * as Schema from "effect/Schema"
import * as ClaudeRegistry from "./core/ClaudeRegistry.ts"
import * as WritableByOthers from "../shared/core/WritableByOthers.ts"
import * as OtherWriters from "../shared/OtherWriters.ts"
import * as ClaudeProcess from "../machine/core/ClaudeProcess.ts"
import * as Environment from "../machine/Environment.ts"
import * as Processes from "../machine/core/Processes.ts"
import * as RegularFile from "../shared/RegularFile.ts"

/**
 * A config directory of Claude Code, or the environment of one of its processes, could not be read.
 */
export class ClaudeSessionsError extends Schema.TaggedError<ClaudeSessionsError>()("ClaudeSessionsError", {
  path: Schema.String,
  cause: Schema.Defect()
}) {
  override get message(): string {
    return `${this.path} could not be read; check that you may read it`
  }
}

/**
 * What one look gave: the files of every consulted config directory, not yet judged. `NotConsulted` is a choice of
 * whoever provided the layer.
 */
export type Snapshot =
  | { readonly _tag: "NotConsulted" }
  | {
      readonly _tag: "Found"
      readonly entries: ReadonlyArray<ClaudeRegistry.Found>
      readonly transcripts: ReadonlySet<string>
    }

/**
 * Claude Code's own registry and transcripts.
 */
export class ClaudeSessions extends Context.Service<
  ClaudeSessions,
  {
    /** Reads the known config directories, and those that the environments of `processes` name. */
    readonly snapshot: (processes: ReadonlyArray<Processes.Process>) => Effect.Effect<Snapshot, ClaudeSessionsError>
    /** Every directory of transcripts in those config directories, and in any other `.claude*` of the home. */
    readonly projects: (
      processes: ReadonlyArray<Processes.Process>
    ) => Effect.Effect<ReadonlyArray<string>, ClaudeSessionsError>
  }
>()("session-liveness/claims/ClaudeSessions") {}

/**
 * The registry in config directories, through Effect's `FileSystem`.
 */
export const layer = (options: {
  readonly configDirectories: ReadonlyArray<string>
  /** Where `.claude*` and `.config/claude` are looked for, besides, for transcripts. */
  readonly home?: string | undefined
  /** The effective user: what lies in a directory of another one may speak for life, and never for an end. */
  readonly user?: number | undefined
}): Layer.Layer<ClaudeSessions, never, FileSystem.FileSystem> =>
  Layer.effect(
    ClaudeSessions,
    Effect.map(FileSystem.FileSystem, (fs) => {
      const consulted = (processes: ReadonlyArray<Processes.Process>) =>
        Effect.map(
          Effect.forEach(
            processes.filter(
              (process) =>
                !Processes.isZombie(process) &&
                (process.user === options.user || ClaudeProcess.roleOf(process) !== "None")
            ),
            (process) => configOf(fs, process),
            { concurrency }
          ),
          (started) => [...new Set([...options.configDirectories, ...started.flatMap(Option.toArray)])]
        )
      return ClaudeSessions.of({
        snapshot: Effect.fnUntraced(function* (processes) {
          const directories = yield* consulted(processes)
          const found = yield* Effect.forEach(directories, (directory) => readDirectory(fs, directory, options.user))
          return {
            _tag: "Found",
            entries: found.flatMap(({ entries }) => entries),
            transcripts: new Set(found.flatMap(({ transcripts }) => transcripts))
          }
        }),
        projects: Effect.fnUntraced(function* (processes) {
          const { home } = options
          const others = home === undefined ? [] : yield* names(fs, home)
          const directories = new Set([
            ...(yield* consulted(processes)),
            ...(home === undefined ? [] : [`${home}/.config/claude`]),
            ...others.filter((name) => name.startsWith(".claude")).map((name) => `${home}/${name}`)
          ])
          const found = yield* Effect.forEach(directories, (directory) => {
            const projects = `${directory}/projects`
            return fs.readDirectory(projects).pipe(
              // A `.claude*` that is a file, as `.claude.json` is, keeps none.
              Effect.catchReason("PlatformError", "BadResource", () => Effect.succeed([])),
              readAt(projects),
              Effect.map((each) => each.map((name) => `${projects}/${name}`))
            )
          })
          return found.flat()
        })
      })
    })
  )

/**
 * These files.
 */
export const layerMemory = (snapshot: Snapshot): Layer.Layer<ClaudeSessions> =>
  Layer.succeed(
    ClaudeSessions,
    ClaudeSessions.of({ snapshot: () => Effect.succeed(snapshot), projects: () => Effect.succeed([]) })
  )

/**
 * The registry is not consulted: what only it could settle stays undeterminable.
 */
export const layerNone: Layer.Layer<ClaudeSessions> = layerMemory({ _tag: "NotConsulted" })

/**
 * Where Claude Code keeps its config: `~/.claude`, and what `CLAUDE_CONFIG_DIR` names.
 */
export const defaultDirectories = (
  home: string,
  env: Readonly<Record<string, string | undefined>>
): ReadonlyArray<string> => {
  const configured = env["CLAUDE_CONFIG_DIR"]
  return configured === undefined || configured === "" ? [`${home}/.claude`] : [`${home}/.claude`, configured]
}

const maxEntryBytes = 1024 * 1024
const concurrency = 16

/**
 * The config directory of which the environment of a process tells, where that may be read. What Claude Code starts inherits
 * `CLAUDE_CONFIG_DIR`; only of its own processes a home tells of one.
 */
const configOf = (
  fs: FileSystem.FileSystem,
  process: Processes.Process
): Effect.Effect<Option.Option<string>, ClaudeSessionsError> =>
  Environment.read(fs, process.pid).pipe(
    Effect.map(
      Option.flatMap((env) => {
        const home = ClaudeProcess.roleOf(process) === "None" ? undefined : env["HOME"]
        return Option.filter(
          Option.fromUndefinedOr(env["CLAUDE_CONFIG_DIR"] || (home && `${home}/.claude`) || undefined),
          (directory) => directory.startsWith("/")
        )
      })
    ),
    Effect.mapError(({ path, cause }) => new ClaudeSessionsError({ path, cause }))
  )

const readDirectory = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  directory: string,
  user: number | undefined
): Effect.fn.Return<
  { readonly entries: ReadonlyArray<ClaudeRegistry.Found>; readonly transcripts: ReadonlyArray<string> },
  ClaudeSessionsError
> {
  const exposed = yield* Effect.forEach([directory, `${directory}/sessions`, `${directory}/projects`], (path) =>
    fs.stat(path).pipe(
      Effect.flatMap((info) => OtherWriters.why(info, user)),
      Effect.catch(absent(path))
    )
  )
  const replaceable = yield* Effect.forEach(WritableByOthers.above(directory), (path) =>
    fs.stat(path).pipe(Effect.flatMap(OtherWriters.whyAbove), Effect.catch(absent(path)))
  )
  const foreign = [...exposed, ...replaceable].some((why) => why !== undefined)
  const sessions = yield* names(fs, `${directory}/sessions`)
  const entries = yield* Effect.forEach(
    sessions.flatMap((name) => {
      const pid = /^([1-9][0-9]*)\.json$/.exec(name)?.[1]
      return pid === undefined ? [] : [{ path: `${directory}/sessions/${name}`, pid: Number(pid) }]
    }),
    ({ path, pid }) =>
      Effect.map(
        RegularFile.read(fs, path, maxEntryBytes, foreign ? undefined : { user }),
        RegularFile.$match({
          Nothing: (): ReadonlyArray<ClaudeRegistry.Found> => [],
          File: ({ text }) => [{ path, pid, foreign, content: { text } }],
          Broken: ({ why }) => [{ path, pid, foreign, content: { unreadable: why } }]
        })
      ),
    { concurrency }
  )
  if (foreign) return { entries: entries.flat(), transcripts: [] }
  const projects = yield* names(fs, `${directory}/projects`)
  const transcripts = yield* Effect.forEach(
    projects,
    (name) => transcriptsOf(fs, `${directory}/projects/${name}`, user),
    {
      concurrency
    }
  )
  return { entries: entries.flat(), transcripts: transcripts.flat() }
})

/** What is not there is nobody's; what is there and cannot be looked at may be anybody's. */
const absent =
  (path: string) =>
  (cause: PlatformError): Effect.Effect<undefined, ClaudeSessionsError> =>
    cause.reason._tag === "NotFound" ? Effect.undefined : Effect.fail(new ClaudeSessionsError({ path, cause }))

/**
 * The names in a directory; none when it is not there.
 */
const names = (fs: FileSystem.FileSystem, path: string): Effect.Effect<ReadonlyArray<string>, ClaudeSessionsError> =>
  fs.readDirectory(path).pipe(readAt(path))

/**
 * The session ids whose transcripts lie in a project; none when it is not there, is no directory, or another user may have
 * written there.
 */
const transcriptsOf = (
  fs: FileSystem.FileSystem,
  path: string,
  user: number | undefined
): Effect.Effect<ReadonlyArray<string>, ClaudeSessionsError> =>
  fs.stat(path).pipe(
    Effect.flatMap((info) =>
      Effect.map(OtherWriters.why(info, user), (why) => info.type === "Directory" && why === undefined)
    ),
    Effect.flatMap((isOwn) => (isOwn ? fs.readDirectoryEntries(path) : Effect.succeed([]))),
    Effect.map((entries) =>
      entries.flatMap(({ name, type }) => (type === "File" && name.endsWith(".jsonl") ? [name.slice(0, -6)] : []))
    ),
    readAt(path)
  )

const readAt =
  (path: string) =>
  (
    self: Effect.Effect<ReadonlyArray<string>, PlatformError>
  ): Effect.Effect<ReadonlyArray<string>, ClaudeSessionsError> =>
    self.pipe(
      Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed([])),
      Effect.mapError((cause) => new ClaudeSessionsError({ path, cause }))
    )
