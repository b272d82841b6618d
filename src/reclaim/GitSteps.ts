import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type { PlatformError } from "effect/PlatformError"
import * as Option from "effect/Option"
import * as GitList from "../verdict/core/GitList.ts"
import * as OwnerSentinel from "../verdict/core/OwnerSentinel.ts"
import * as Place from "../claims/core/Place.ts"
import * as ReclaimLeft from "./core/ReclaimLeft.ts"
import * as ReclaimRecord from "./core/ReclaimRecord.ts"
import * as ReclaimStep from "./core/ReclaimStep.ts"
import * as ReclaimedDirectory from "../verdict/core/ReclaimedDirectory.ts"
import * as AdminDirectory from "../verdict/AdminDirectory.ts"
import * as RegularFile from "../shared/RegularFile.ts"
import * as WholeFile from "../shared/WholeFile.ts"

/**
 * Runs git. A read is bounded and killed; a write runs to its end and is never killed.
 */
export interface Run {
  readonly read: (args: ReadonlyArray<string>, input?: string) => Effect.Effect<string, string>
  readonly write: (args: ReadonlyArray<string>, input?: string) => Effect.Effect<void, string>
}

/** Beside `locked` in an admin directory: the lock of a harness that is gone, while ours is on. */
const priorLock = "locked-before-reclaim"
/** Beside where `locked` was: our own lock, while the worktree is being removed. */
const openLock = "locked-until-removal"

/**
 * Carries out one step in the repository of that common git directory. What makes good a sequence that was stopped does
 * nothing where that is done already. Gives notes for a person; fails with what stood in the way.
 */
export const carryOut = (
  fs: FileSystem.FileSystem,
  { read, write }: Run,
  commonDirectory: string,
  step: ReclaimStep.ReclaimStep
): Effect.Effect<ReadonlyArray<string>, string> => {
  const common = `--git-dir=${commonDirectory}`
  const workshop = ReclaimedDirectory.of(commonDirectory)
  const told = <A>(effect: Effect.Effect<A, PlatformError>) => Effect.mapError(effect, (cause) => cause.message)
  const lookAt = (path: string) => RegularFile.read(fs, path, maxBytes)
  const isThere = (path: string) => told(exists(fs, path))
  const worktrees = Effect.gen(function* () {
    const list = GitList.worktrees(yield* read([common, "worktree", "list", "--porcelain", "-z"]))
    return list ?? (yield* Effect.fail("git worktree list printed something else than a list"))
  })

  const exclude = `${commonDirectory}/info/exclude`
  /** The worktrees around a path, the nearest first, and the pattern by which each ignores it. */
  const placesFor = (path: string) =>
    Effect.map(worktrees, (list) =>
      list
        .filter((each) => !each.bare && path.startsWith(`${each.path}/`))
        .sort((a, b) => b.path.length - a.path.length)
        .map((each) => ({ around: each.path, pattern: patternOf(path.slice(each.path.length)) }))
    )

  /** Those that are there, other than the tags that are refs. */
  const typesOf = (ids: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      if (ids.length === 0) return []
      const types = yield* read(
        [common, "cat-file", "--batch-check=%(objectname) %(objecttype)"],
        ids.map((id) => `${id}\n`).join("")
      )
      const tags = new Set((yield* read([common, "for-each-ref", "--format=%(objectname)", "refs/tags"])).split("\n"))
      return types.split("\n").flatMap((line) => {
        const [id = "", type = ""] = line.split(" ")
        return /^(commit|tag|tree|blob)$/.test(type) && !tags.has(id) ? [{ id, type }] : []
      })
    })
  const keptAs = (name: string) =>
    Effect.map(read([common, "for-each-ref", "--format=%(refname) %(objectname)", `refs/reclaimed/${name}/`]), (refs) =>
      refs
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => {
          const [ref = "", id = ""] = line.split(" ")
          return { ref, id }
        })
    )

  switch (step._tag) {
    case "TakeLock":
      return Effect.gen(function* () {
        const locked = `${step.adminDirectory}/locked`
        const prior = `${step.adminDirectory}/${priorLock}`
        const kept = yield* read([common, "for-each-ref", `refs/reclaimed/${step.name}/`])
        if (kept !== "" || (yield* isThere(ReclaimStep.asideOf(commonDirectory, step.name)))) {
          return yield* Effect.fail(
            `something is kept as ${step.name} already; see \`git for-each-ref refs/reclaimed\``
          )
        }
        const take = WholeFile.create(fs, {
          path: locked,
          text: `${step.reason}\n`,
          mode: 0o644,
          workshop: step.adminDirectory
        }).pipe(
          Effect.mapError((cause) =>
            cause.reason._tag === "AlreadyExists" ? "somebody has locked it meanwhile; survey anew" : cause.message
          )
        )
        if (step.prior === undefined) yield* take
        else {
          yield* told(fs.rename(locked, prior))
          const found = yield* lookAt(prior)
          const isSeen = found._tag === "File" && found.text.trim() === step.prior.trim()
          yield* (isSeen ? take : Effect.fail("its lock is not the one that was seen any more; survey anew")).pipe(
            Effect.tapError(() => Effect.ignore(fs.rename(prior, locked)))
          )
        }
        return []
      })

    case "KeepCommits":
      return Effect.gen(function* () {
        const admin = `--git-dir=${step.adminDirectory}`
        if (yield* isThere(`${step.adminDirectory}/reftable`)) {
          return yield* Effect.fail(
            "its refs are kept as reftable, where the log of HEAD cannot be read whole; remove it by hand if nobody needs it"
          )
        }
        const log = yield* told(asciiOf(fs, `${step.adminDirectory}/logs/HEAD`))
        const named = yield* typesOf(yield* namedByFiles(fs, step.adminDirectory))
        const refs = yield* read([
          admin,
          "for-each-ref",
          "--format=%(objectname)",
          "refs/worktree",
          "refs/bisect",
          "refs/rewritten"
        ])
        const head = (yield* read([admin, "rev-parse", "--verify", "HEAD^{commit}"])).trim()
        // What is named need not be a commit, and where it is none there are few: they are kept as they are.
        const own = [
          ...refs.split("\n").filter((id) => id !== ""),
          ...named.filter(({ type }) => type !== "commit").map(({ id }) => id)
        ]
        const logged = [
          ...log.split("\n").flatMap((line) => line.split(" ", 2)),
          ...named.filter(({ type }) => type === "commit").map(({ id }) => id)
        ].filter((id) => /^[0-9a-f]{40,64}$/.test(id) && !/^0+$/.test(id))
        const ids = [...new Set(logged)]
        const unreachable = new Set<string>()
        for (let start = 0; start < ids.length; start += idsPerCall) {
          const listed = yield* read([
            common,
            "rev-list",
            "--ignore-missing",
            ...ids.slice(start, start + idsPerCall),
            "--not",
            "--branches",
            "--remotes",
            "--tags"
          ])
          for (const id of listed.split("\n")) unreachable.add(id)
        }
        const prefix = `refs/reclaimed/${step.name}/`
        const kept = yield* keptAs(step.name)
        const isFirst = !kept.some(({ ref }) => ref === `${prefix}HEAD`)
        const known = new Set([...kept.map(({ id }) => id), ...(isFirst ? [head] : [])])
        const others = new Set(
          [head, ...own, ...ids.filter((id) => unreachable.has(id))].filter((id) => !known.has(id))
        )
        const last = kept.reduce(
          (highest, { ref }) => Math.max(highest, parseInt(ref.slice(prefix.length), 10) || 0),
          0
        )
        const lines = [
          ...(isFirst ? [`create ${prefix}HEAD ${head}\n`] : []),
          ...[...others].map((id, index) => `create ${prefix}${last + index + 1} ${id}\n`)
        ]
        if (lines.length > 0) yield* write([common, "update-ref", "--stdin"], lines.join(""))
        return []
      })

    case "ForgetCommits":
      return Effect.gen(function* () {
        const lines = (yield* keptAs(step.name)).map(({ ref, id }) => `delete ${ref} ${id}\n`)
        if (lines.length > 0) yield* write([common, "update-ref", "--stdin"], lines.join(""))
        return []
      })

    case "GiveLockBack":
      return Effect.gen(function* () {
        const locked = `${step.adminDirectory}/locked`
        const prior = `${step.adminDirectory}/${priorLock}`
        const found = yield* lookAt(locked)
        const ours = found._tag === "File" && found.text.trim() === step.reason
        if (found._tag !== "Nothing" && !ours)
          return yield* Effect.fail(
            "its lock is not ours any more; see `git worktree list`, and unlock it if nobody needs the lock"
          )
        if (yield* isThere(prior)) yield* told(fs.rename(prior, locked))
        else if (ours) yield* told(fs.remove(locked))
        return []
      })

    case "Detach":
      return Effect.as(
        write([
          `--git-dir=${step.adminDirectory}`,
          "update-ref",
          "--no-deref",
          "-m",
          "session-liveness: moved aside",
          "HEAD",
          step.head,
          step.head
        ]),
        []
      )

    case "Attach":
      return Effect.gen(function* () {
        const admin = `--git-dir=${step.adminDirectory}`
        const short = step.branch.replace(/^refs\/heads\//, "")
        const own = yield* lookAt(`${step.adminDirectory}/HEAD`)
        // On a branch it was not detached, or somebody has switched it since.
        if (own._tag === "File" && own.text.startsWith("ref: ")) return []
        const ref = yield* read([common, "for-each-ref", "--format=%(objectname) %(refname)", step.branch])
        const head = (yield* read([admin, "rev-parse", "--verify", "HEAD^{commit}"])).trim()
        if (head !== step.head || !ref.split("\n").includes(`${step.head} ${step.branch}`)) {
          return [`HEAD stays detached, because branch ${short} has moved on; see \`git switch\``]
        }
        const holder = (yield* worktrees).find(({ branch }) => branch === step.branch)
        if (holder !== undefined) {
          return [`HEAD stays detached, because branch ${short} is checked out in ${holder.path}`]
        }
        yield* write([admin, "symbolic-ref", "-m", "session-liveness: put back", "HEAD", step.branch])
        return []
      })

    case "MarkUsed":
      return Effect.gen(function* () {
        const now = new Date(yield* Clock.currentTimeMillis)
        yield* told(fs.utimes(`${step.adminDirectory}/HEAD`, now, now))
        return []
      })

    case "Move":
      return Effect.gen(function* () {
        if (!(yield* isThere(step.from)) && (yield* isThere(step.to))) return []
        if (yield* isThere(step.to))
          return yield* Effect.fail(`something else stands at ${step.to}; move it away first`)
        const parent = parentOf(step.to)
        yield* told(fs.makeDirectory(parent, { recursive: true }))
        const [from, to] = yield* told(Effect.all([fs.stat(step.from), fs.stat(parent)]))
        if (from.dev !== to.dev) {
          return yield* Effect.fail(`${parent} lies on another device, so that it cannot be moved there`)
        }
        const move = (source: string, target: string) => write([common, "worktree", "move", "-f", "-f", source, target])
        const admin = yield* Effect.option(Effect.flatMap(AdminDirectory.find(fs, step.from), fs.realPath))
        const isAt = (path: string) =>
          Option.isSome(admin) ? leadsTo(fs, path, admin.value, step.from) : Effect.succeed(false)
        yield* move(step.from, step.to)
        if (yield* isAt(step.to)) return []
        // git moves into a directory that has come to stand there.
        const within = `${step.to}${step.from.slice(step.from.lastIndexOf("/"))}`
        if (!(yield* isAt(within)))
          return yield* Effect.fail(`it did not come to ${step.to}; see \`git worktree list\``)
        yield* move(within, step.from)
        return yield* Effect.fail(
          `something else has come to stand at ${step.to}, so that it was moved back; move that away first`
        )
      })

    case "Connect":
      return Effect.gen(function* () {
        yield* told(
          WholeFile.replace(fs, {
            path: `${step.adminDirectory}/gitdir`,
            text: `${step.worktree}/.git\n`,
            mode: 0o644,
            workshop
          })
        )
        if (!(yield* leadsTo(fs, step.worktree, step.adminDirectory))) {
          yield* told(
            WholeFile.replace(fs, {
              path: `${step.worktree}/.git`,
              text: `gitdir: ${step.adminDirectory}\n`,
              mode: 0o644,
              workshop
            })
          )
        }
        return []
      })

    case "LeaveTombstone":
      return Effect.gen(function* () {
        const found = yield* lookAt(step.path)
        if (found._tag === "File" && found.text === step.text) return []
        if (found._tag !== "Nothing") return [`something else stands at ${step.path} already`]
        yield* told(fs.makeDirectory(parentOf(step.path), { recursive: true }))
        yield* told(WholeFile.create(fs, { path: step.path, text: step.text, mode: 0o444, workshop }))
        return []
      })

    case "RemoveTombstone":
      return Effect.gen(function* () {
        const found = yield* lookAt(step.path)
        if (found._tag === "File" && found.text === step.text) yield* told(fs.remove(step.path))
        return []
      })

    case "HideTombstone":
      return Effect.gen(function* () {
        const [nearest] = yield* placesFor(step.path)
        if (nearest === undefined) return []
        const ignored = yield* Effect.option(read(["-C", nearest.around, "check-ignore", "--no-index", step.path]))
        if (Option.isSome(ignored)) return []
        const found = yield* RegularFile.readExact(fs, exclude, maxBytes)
        if (found._tag === "Broken")
          return [`${step.path} shows as untracked, because ${exclude} could not be read: ${found.why}`]
        const [byteOrderMark, text] = splitByteOrderMark(found._tag === "File" ? found.text : "")
        // Above what is there, so that taking it out again leaves every byte of that.
        yield* rewriteExclude(`${byteOrderMark}${excludeMark(step.name)}\n${nearest.pattern}\n${text}`)
        return []
      })

    case "UnhideTombstone":
      return Effect.gen(function* () {
        const found = yield* RegularFile.readExact(fs, exclude, maxBytes)
        if (found._tag !== "File") return []
        const [byteOrderMark, text] = splitByteOrderMark(found.text)
        const lines = text.split("\n")
        const at = lines.indexOf(excludeMark(step.name))
        if (at === -1) return []
        // The line after it may be anybody's by now.
        const isOurs = (yield* placesFor(step.path)).some(({ pattern }) => pattern === lines[at + 1])
        lines.splice(at, isOurs ? 2 : 1)
        const left = `${byteOrderMark}${lines.join("\n")}`
        yield* left === "" ? told(fs.remove(exclude)) : rewriteExclude(left)
        return []
      })

    case "MoveSentinel":
      return Effect.gen(function* () {
        const inTree = `${step.worktree}/${OwnerSentinel.fileName}`
        const inAdmin = `${step.adminDirectory}/${OwnerSentinel.fileName}`
        const found = yield* lookAt(inTree)
        if (found._tag === "Nothing") return []
        const takes = found._tag === "File" && found.text !== "" && !(yield* isThere(inAdmin))
        yield* told(fs.rename(inTree, takes ? inAdmin : `${inAdmin}-of-tree`))
        return []
      })

    case "OpenLock":
      return Effect.gen(function* () {
        const locked = `${step.adminDirectory}/locked`
        if (yield* isThere(locked)) yield* told(fs.rename(locked, `${step.adminDirectory}/${openLock}`))
        return []
      })

    case "CloseLock":
      return Effect.gen(function* () {
        const open = `${step.adminDirectory}/${openLock}`
        if (!(yield* isThere(open))) return []
        if (!(yield* isThere(`${step.worktree}/.git`))) {
          yield* told(
            WholeFile.create(fs, {
              path: `${step.worktree}/.git`,
              text: `gitdir: ${step.adminDirectory}\n`,
              mode: 0o644,
              workshop
            })
          )
        }
        const inTree = [`--git-dir=${step.adminDirectory}`, `--work-tree=${step.worktree}`]
        const gone = yield* read([...inTree, "ls-files", "--deleted", "-z"])
        // Only these: a file that is there fails the whole, when the index does not know its times.
        if (gone !== "") yield* write([...inTree, "checkout-index", "-z", "--stdin"], gone)
        yield* told(fs.rename(open, `${step.adminDirectory}/locked`))
        return []
      })

    case "Remove":
      return Effect.gen(function* () {
        if (!(yield* worktrees).some(({ path }) => path === step.path)) return []
        // git goes on to forget a worktree of which it could not remove every file.
        const stuck = (yield* isThere(step.path)) ? yield* told(firstUnwritable(fs, step.path)) : undefined
        if (stuck !== undefined) return yield* Effect.fail(`${stuck} may not be written to`)
        yield* write([common, "worktree", "remove", step.path])
        return []
      })
  }

  function rewriteExclude(text: string): Effect.Effect<void, string> {
    return Effect.gen(function* () {
      yield* fs.makeDirectory(parentOf(exclude), { recursive: true })
      const mode = yield* fs.stat(exclude).pipe(
        Effect.map((info) => info.mode & 0o777),
        Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed(0o644))
      )
      yield* WholeFile.replace(fs, { path: exclude, text, mode, workshop })
    }).pipe(told)
  }
}

/**
 * Everything that moves, restorations and removals have left in a repository, whether or not git can list it.
 */
export const left = (
  fs: FileSystem.FileSystem,
  commonDirectory: string
): Effect.Effect<ReadonlyArray<ReclaimLeft.ReclaimLeft>, string> =>
  Effect.gen(function* () {
    const ids = yield* namesIn(fs, `${commonDirectory}/worktrees`)
    const taken = yield* Effect.forEach(ids, (id) => leftOf(fs, commonDirectory, `${commonDirectory}/worktrees/${id}`))
    const found = taken.flatMap(Option.toArray)
    const names = yield* namesIn(fs, ReclaimedDirectory.of(commonDirectory))
    const known = new Set<string | undefined>([
      ...found.flatMap((each) =>
        each._tag === "Taken" ? [ReclaimStep.asideOf(commonDirectory, each.record.name)] : []
      ),
      ...(yield* Effect.forEach(ids, (id) => worktreeOf(fs, `${commonDirectory}/worktrees/${id}`)))
    ])
    const lying = names
      .filter((name) => !name.startsWith("."))
      .map((name) => ReclaimStep.asideOf(commonDirectory, name))
      .filter((path) => !known.has(path))
    return [...found, ...lying.map((path) => ReclaimLeft.Remains({ path }))]
  }).pipe(Effect.mapError((cause) => cause.message))

const leftOf = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  commonDirectory: string,
  adminDirectory: string
): Effect.fn.Return<Option.Option<ReclaimLeft.ReclaimLeft>, PlatformError> {
  const locked = yield* RegularFile.read(fs, `${adminDirectory}/locked`, maxBytes)
  const lock =
    locked._tag === "Nothing" ? yield* RegularFile.read(fs, `${adminDirectory}/${openLock}`, maxBytes) : locked
  const pointsAt = yield* worktreeOf(fs, adminDirectory)
  const record = lock._tag === "File" ? ReclaimRecord.parseLock(lock.text.trim()) : Option.none()
  if (Option.isNone(record)) {
    // What is left of a removed worktree must not be locked, or git would not prune it.
    const isUnlocked =
      locked._tag === "Nothing" &&
      pointsAt !== undefined &&
      (yield* exists(fs, `${adminDirectory}/${priorLock}`)) &&
      (yield* exists(fs, pointsAt))
    return isUnlocked ? Option.some(ReclaimLeft.Unlocked({ adminDirectory, worktree: pointsAt })) : Option.none()
  }
  const { name, path } = record.value
  const aside = ReclaimStep.asideOf(commonDirectory, name)
  const stands = yield* Effect.findFirst(
    [path, ...(pointsAt === undefined || pointsAt === aside ? [] : [pointsAt])],
    (place) => leadsTo(fs, place, adminDirectory, aside)
  )
  return Option.some(
    ReclaimLeft.Taken({
      record: record.value,
      adminDirectory,
      open: locked._tag === "Nothing",
      pointsAt,
      liesAside: yield* exists(fs, aside),
      stands: Option.getOrUndefined(stands),
      oldPathIsFree: !(yield* Effect.orElseSucceed(exists(fs, path), () => true))
    })
  )
})

/**
 * Where the admin directory says that its worktree is.
 */
const worktreeOf = (fs: FileSystem.FileSystem, adminDirectory: string): Effect.Effect<string | undefined> =>
  Effect.map(RegularFile.read(fs, `${adminDirectory}/gitdir`, maxBytes), (file) => {
    const text = file._tag === "File" ? file.text.replace(/\n$/, "").replace(/\/\.git$/, "") : ""
    if (text === "") return undefined
    return text.startsWith("/") ? text : `/${(Place.segmentsOf(`${adminDirectory}/${text}`) ?? []).join("/")}`
  })

/**
 * Whether a worktree names that admin directory as its own. What it names relatively may be meant from where it stood
 * before it was moved.
 */
const leadsTo = (
  fs: FileSystem.FileSystem,
  worktree: string,
  adminDirectory: string,
  before: string = worktree
): Effect.Effect<boolean> =>
  Effect.gen(function* () {
    const target = yield* AdminDirectory.find(fs, worktree)
    for (const candidate of [target, `${before}${target.slice(worktree.length)}`]) {
      const real = yield* Effect.option(fs.realPath(candidate))
      if (Option.isSome(real) && real.value === adminDirectory) return true
    }
    return false
  }).pipe(Effect.orElseSucceed(() => false))

/** A log holds names and subjects in any encoding, and so may other files; what is looked for in them is ASCII. */
const asciiOf = (fs: FileSystem.FileSystem, path: string): Effect.Effect<string, PlatformError> =>
  fs.readFile(path).pipe(
    Effect.map((bytes) => new TextDecoder("latin1").decode(bytes)),
    Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed(""))
  )

/**
 * What the files of an admin directory name that git takes for refs by their names alone: each id with which a line
 * begins. A directory is no ref, and `HEAD` is for git to resolve.
 */
const namedByFiles = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  adminDirectory: string
): Effect.fn.Return<ReadonlyArray<string>, string> {
  const names = yield* Effect.mapError(fs.readDirectory(adminDirectory), (cause) => cause.message)
  const texts = yield* Effect.forEach(
    names.filter((name) => /^[A-Z0-9_-]+$/.test(name) && name !== "HEAD").sort(),
    (name) => {
      const file = `${adminDirectory}/${name}`
      return fs.lstat(file).pipe(
        Effect.flatMap(({ type }) => {
          if (type === "Directory") return Effect.succeed("")
          return type === "File" ? asciiOf(fs, file) : Effect.fail({ message: `it is a ${type}, not a regular file` })
        }),
        Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed("")),
        Effect.mapError(({ message }) => `its ${name} could not be read: ${message}; mend or remove ${file}`)
      )
    }
  )
  return texts.flatMap((text) => text.match(/^([0-9a-f]{64}|[0-9a-f]{40})(?![0-9a-f])/gim) ?? [])
})

const exists = (fs: FileSystem.FileSystem, path: string): Effect.Effect<boolean, PlatformError> =>
  fs.lstat(path).pipe(
    Effect.as(true),
    Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed(false))
  )

const namesIn = (fs: FileSystem.FileSystem, directory: string): Effect.Effect<ReadonlyArray<string>, PlatformError> =>
  fs.readDirectory(directory).pipe(Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed([])))

/**
 * The first directory of a tree whose entries this process may not remove. Links are not followed.
 */
const firstUnwritable = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  root: string
): Effect.fn.Return<string | undefined, PlatformError> {
  for (let level: ReadonlyArray<string> = [root]; level.length > 0;) {
    const writable = yield* Effect.forEach(
      level,
      (directory) => Effect.isSuccess(fs.access(directory, { readable: true, writable: true })),
      { concurrency }
    )
    const stuck = level.find((_, index) => writable[index] === false)
    if (stuck !== undefined) return stuck
    const below = yield* Effect.forEach(
      level,
      (directory) =>
        Effect.map(fs.readDirectoryEntries(directory), (entries) =>
          entries.filter(({ type }) => type === "Directory").map(({ name }) => `${directory}/${name}`)
        ),
      { concurrency }
    )
    level = below.flat()
  }
  return undefined
})

const concurrency = 16

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf("/")) || "/"

const maxBytes = 64 * 1024 * 1024
const idsPerCall = 500

/** A pattern cannot hold the end of a line. */
const patternOf = (path: string): string =>
  path.replaceAll(/[\\*?[\]!#\s]/g, (sign) => (/[\n\r]/.test(sign) ? "?" : `\\${sign}`))

/** git knows it at the beginning of a file alone. */
const splitByteOrderMark = (text: string): readonly [byteOrderMark: string, rest: string] =>
  text.startsWith("\ufeff") ? ["\ufeff", text.slice(1)] : ["", text]

const excludeMark = (name: string): string => `# session-liveness: what stands where ${name} stood`
