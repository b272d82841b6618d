import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import type { PlatformError } from "effect/PlatformError"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"
import * as JournalEntry from "./core/JournalEntry.ts"
import * as HostId from "../shared/HostId.ts"
import * as RegularFile from "../shared/RegularFile.ts"
import * as OwnDirectory from "./OwnDirectory.ts"

/** It is there, and could not be read whole. */
export class Unreadable extends Schema.TaggedClass<Unreadable>()("Unreadable", {}) {}

/** It could not be written, or not durably. */
export class Unwritten extends Schema.TaggedClass<Unwritten>()("Unwritten", {}) {}

/**
 * The journal failed, so that nothing moves.
 */
export class JournalError extends Schema.TaggedError<JournalError>()("JournalError", {
  reason: Schema.Union([Unreadable, Unwritten]),
  path: Schema.String,
  detail: Schema.String
}) {
  override get message(): string {
    return this.reason._tag === "Unreadable"
      ? `the journal of what is reclaimed, ${this.path}, could not be read: ${this.detail}; repair it, or move it away: what lies reclaimed is listed then, and goes back by hand`
      : `the journal of what is reclaimed, ${this.path}, could not be written: ${this.detail}; make room or correct its permissions`
  }
}

/**
 * What this user moves, written down before it moves. A repository's own files are a stranger's words; this is ours. Only
 * who holds the guard of a repository writes about it.
 */
export class ReclaimJournal extends Context.Service<
  ReclaimJournal,
  {
    /** What this host has written about a repository. */
    readonly read: (repository: JournalEntry.Identity) => Effect.Effect<JournalEntry.Journal, JournalError>
    /** Writes an entry in the place of the one with its name; when this returns, it outlasts a loss of power. */
    readonly put: (entry: JournalEntry.JournalEntry) => Effect.Effect<void, JournalError>
    /** Takes an entry out that is done, and notes that its tree was put back. */
    readonly forget: (
      entry: JournalEntry.JournalEntry,
      restoration?: JournalEntry.Restoration
    ) => Effect.Effect<void, JournalError>
    /** Writes what is on its way out of worktrees of one repository; when this returns, it outlasts a loss of power. */
    readonly putSlims: (slims: ReadonlyArray<JournalEntry.Slim>) => Effect.Effect<void, JournalError>
    /** Takes it out. */
    readonly forgetSlims: (slims: ReadonlyArray<JournalEntry.Slim>) => Effect.Effect<void, JournalError>
    /** Common git directories, as they were written, of what was reclaimed from a path. */
    readonly repositoriesOf: (path: string) => Effect.Effect<ReadonlyArray<string>, JournalError>
  }
>()("session-liveness/reclaim/ReclaimJournal") {}

export interface Options {
  /** A directory of the user's own; made when it is needed. */
  readonly directory: string
  readonly user: number | undefined
}

/** Where a user's state lies. */
export const defaultDirectory = (home: string, env: Readonly<Record<string, string | undefined>>): string => {
  const state = env["XDG_STATE_HOME"]
  return `${state?.startsWith("/") === true ? state : `${home}/.local/state`}/session-liveness`
}

/**
 * A file for each repository in one directory.
 */
export const layer = (options: Options): Layer.Layer<ReclaimJournal, never, FileSystem.FileSystem> =>
  Layer.effect(
    ReclaimJournal,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const { machine } = yield* HostId.read(fs)
      return make(files(fs, options), machine)
    })
  )

/**
 * In memory: it lasts as long as the layer.
 */
export const layerMemory: Layer.Layer<ReclaimJournal> = Layer.sync(ReclaimJournal, () => {
  const texts = new Map<string, string>()
  return make(
    {
      read: (name) => Effect.sync(() => texts.get(name)),
      write: (name, text) => Effect.sync(() => void texts.set(name, text)),
      names: Effect.sync(() => [...texts.keys()])
    },
    null
  )
})

interface Files {
  readonly read: (name: string) => Effect.Effect<string | undefined, JournalError>
  readonly write: (name: string, text: string) => Effect.Effect<void, JournalError>
  readonly names: Effect.Effect<ReadonlyArray<string>, JournalError>
}

const make = (files: Files, host: string | null): ReclaimJournal["Service"] => {
  const stored = Effect.fnUntraced(function* (name: string): Effect.fn.Return<JournalEntry.Stored, JournalError> {
    const text = yield* files.read(name)
    if (text === undefined) return JournalEntry.empty as JournalEntry.Stored
    return yield* Result.match(JournalEntry.decode(text), {
      onSuccess: Effect.succeed,
      onFailure: (cause) => Effect.fail(unreadable(name, cause.message))
    })
  })
  const oneAtATime = Semaphore.makeUnsafe(1).withPermit
  const change = (repository: JournalEntry.Identity, how: (before: JournalEntry.Stored) => JournalEntry.Stored) =>
    Effect.gen(function* () {
      const name = nameOf(repository)
      yield* files.write(name, JournalEntry.encode(how(yield* stored(name))))
    }).pipe(oneAtATime)
  const changeSlims = (isDone: boolean) => (slims: ReadonlyArray<JournalEntry.Slim>) =>
    slims[0] === undefined
      ? Effect.void
      : change(slims[0].repository, (before) =>
          slims.reduce((stored, slim) => JournalEntry.putSlim(stored, host, slim, isDone), before)
        )
  return ReclaimJournal.of({
    read: (repository) =>
      Effect.map(stored(nameOf(repository)), (found) => {
        const { entries, restorations, slims } = JournalEntry.of(found, host)
        const isHere = (other: { readonly repository: JournalEntry.Identity }) =>
          JournalEntry.isSame(repository, other.repository)
        return {
          entries: entries.filter(isHere),
          restorations: restorations.filter(isHere),
          slims: slims.filter(isHere)
        }
      }),
    put: (entry) => change(entry.repository, (before) => JournalEntry.put(before, host, entry)),
    forget: (entry, restoration) =>
      change(entry.repository, (before) => JournalEntry.forget(before, host, entry.record.name, restoration)),
    putSlims: changeSlims(false),
    forgetSlims: changeSlims(true),
    repositoriesOf: (path) =>
      Effect.gen(function* () {
        const found = yield* Effect.forEach(yield* files.names, stored)
        const entries = found.flatMap((each) => JournalEntry.of(each, host).entries)
        return [...new Set(entries.filter(({ record }) => record.path === path).map((entry) => entry.commonDirectory))]
      })
  })
}

const nameOf = ({ inode, birth }: JournalEntry.Identity): string => `reclaimed-${inode}-${birth ?? "unknown"}.json`

const unreadable = (path: string, detail: string): JournalError =>
  new JournalError({ reason: new Unreadable(), path, detail })

const files = (fs: FileSystem.FileSystem, { directory, user }: Options): Files => {
  const unwritten = (detail: string) => new JournalError({ reason: new Unwritten(), path: directory, detail })
  const ofFile = <A>(effect: Effect.Effect<A, PlatformError>) =>
    // The system's own word, such as that the disk is full, where there is one.
    Effect.mapError(effect, ({ message, cause }) => unwritten(cause instanceof Error ? cause.message : message))
  const isThere = OwnDirectory.isThere(fs, directory, user).pipe(
    Effect.mapError((detail) => unreadable(directory, detail))
  )
  return {
    read: Effect.fnUntraced(function* (name) {
      if (!(yield* isThere)) return undefined
      const file = yield* RegularFile.read(fs, `${directory}/${name}`, maxBytes, { user })
      if (file._tag === "Broken") return yield* unreadable(`${directory}/${name}`, file.why)
      return file._tag === "File" ? file.text : undefined
    }),
    names: Effect.gen(function* () {
      if (!(yield* isThere)) return []
      const names = yield* Effect.mapError(fs.readDirectory(directory), (cause) => unreadable(directory, cause.message))
      return names.filter((name) => /^reclaimed-.*\.json$/.test(name))
    }),
    write: Effect.fnUntraced(function* (name, text) {
      yield* ofFile(makeParents(fs, directory))
      yield* Effect.mapError(OwnDirectory.ensure(fs, directory, user), unwritten)
      const fresh = `${directory}/.${name}.new`
      yield* ofFile(fs.remove(fresh, { force: true }))
      yield* Effect.gen(function* () {
        const file = yield* fs.open(fresh, { flag: "wx", mode: 0o600 })
        yield* file.writeAll(new TextEncoder().encode(text))
        yield* file.sync
      }).pipe(Effect.scoped, ofFile)
      yield* ofFile(fs.rename(fresh, `${directory}/${name}`))
      // Without it the name may still be that of the old file, or of nothing, after a loss of power.
      for (const synced of [directory, parentOf(directory)]) {
        yield* fs.open(synced, { flag: "r" }).pipe(
          Effect.flatMap((opened) => opened.sync),
          Effect.scoped,
          ofFile
        )
      }
    })
  }
}

/** One by one: Node's own way does not end on a file system that lets nobody make a directory, such as `/proc`. */
const makeParents = (fs: FileSystem.FileSystem, path: string): Effect.Effect<void, PlatformError> =>
  Effect.gen(function* () {
    const parent = parentOf(path)
    if (yield* fs.exists(parent)) return
    yield* makeParents(fs, parent)
    yield* Effect.catchReason(
      fs.makeDirectory(parent, { mode: 0o700 }),
      "PlatformError",
      "AlreadyExists",
      () => Effect.void
    )
  })

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf("/")) || "/"

const maxBytes = 16 * 1024 * 1024
