import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type { PlatformError } from "effect/PlatformError"
import * as Option from "effect/Option"
import * as GitList from "../core/GitList.ts"
import * as OwnerSentinel from "../core/OwnerSentinel.ts"
import * as ReclaimRecord from "../core/ReclaimRecord.ts"
import type { ReclaimStep } from "../core/ReclaimStep.ts"
import * as RegularFile from "./RegularFile.ts"

/**
 * Runs git. A read is bounded and killed; a write runs to its end and is never killed.
 */
export interface Run {
  readonly read: (args: ReadonlyArray<string>) => Effect.Effect<string, string>
  readonly write: (args: ReadonlyArray<string>, input?: string) => Effect.Effect<void, string>
}

/** Beside `locked` in an admin directory: the lock of a harness that is gone, while ours is on. */
const priorLock = "locked-before-reclaim"
/** Beside where `locked` was: our own lock, while the worktree is being removed. */
const openLock = "locked-until-removal"

/**
 * Carries out one step in the repository of that common git directory. A step that is done already does nothing, so that
 * a sequence can be begun again wherever it stopped. Gives notes for a person; fails with what stood in the way.
 */
export const carryOut = (
  fs: FileSystem.FileSystem,
  { read, write }: Run,
  commonDirectory: string,
  step: ReclaimStep
): Effect.Effect<ReadonlyArray<string>, string> => {
  const common = `--git-dir=${commonDirectory}`
  const told = <A>(effect: Effect.Effect<A, PlatformError>) => Effect.mapError(effect, (cause) => cause.message)
  const lookAt = (path: string) => RegularFile.read(fs, path, maxBytes)
  const isThere = (path: string) =>
    fs.lstat(path).pipe(
      Effect.as(true),
      Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed(false)),
      told
    )

  switch (step._tag) {
    case "KeepCommits":
      return Effect.gen(function* () {
        const admin = `--git-dir=${step.adminDirectory}`
        const log = yield* lookAt(`${step.adminDirectory}/logs/HEAD`)
        const original = yield* lookAt(`${step.adminDirectory}/ORIG_HEAD`)
        const own = yield* read([
          admin,
          "for-each-ref",
          "--format=%(objectname)",
          "refs/worktree",
          "refs/bisect",
          "refs/rewritten"
        ])
        const head = (yield* read([admin, "rev-parse", "--verify", "HEAD^{commit}"])).trim()
        if (log._tag === "Broken") return yield* Effect.fail(`the log of HEAD could not be read: ${log.why}`)
        const named = [
          ...(log._tag === "File" ? log.text.split("\n").flatMap((line) => line.split(" ", 2)) : []),
          ...(original._tag === "File" ? [original.text.trim()] : []),
          ...own.split("\n")
        ].filter((id) => /^[0-9a-f]{40,64}$/.test(id) && !/^0+$/.test(id))
        const unreachable = new Set<string>()
        const ids = [...new Set(named)]
        for (let start = 0; start < ids.length; start += idsPerCall) {
          const chunk = ids.slice(start, start + idsPerCall)
          const listed = yield* read([
            common,
            "rev-list",
            "--ignore-missing",
            ...chunk,
            "--not",
            "--branches",
            "--remotes",
            "--tags"
          ])
          for (const id of listed.split("\n")) unreachable.add(id)
        }
        const kept = [head, ...ids.filter((id) => id !== head && unreachable.has(id))]
        yield* write(
          [common, "update-ref", "--stdin"],
          kept.map((id, index) => `create refs/reclaimed/${step.name}/${index === 0 ? "HEAD" : index} ${id}\n`).join("")
        )
        return []
      })

    case "ForgetCommits":
      return Effect.gen(function* () {
        const refs = yield* read([
          common,
          "for-each-ref",
          "--format=%(refname) %(objectname)",
          `refs/reclaimed/${step.name}/`
        ])
        const lines = refs.split("\n").filter((line) => line !== "")
        if (lines.length > 0) {
          yield* write([common, "update-ref", "--stdin"], lines.map((line) => `delete ${line}\n`).join(""))
        }
        return []
      })

    case "TakeLock":
      return Effect.gen(function* () {
        const locked = `${step.adminDirectory}/locked`
        if (step.prior !== undefined) {
          const found = yield* lookAt(locked)
          if (found._tag !== "File" || found.text.trim() !== step.prior.trim()) {
            return yield* Effect.fail("its lock is not the one that was seen any more")
          }
          yield* told(fs.rename(locked, `${step.adminDirectory}/${priorLock}`))
        }
        yield* told(fs.writeFileString(locked, `${step.reason}\n`, { flag: "wx" }))
        return []
      })

    case "GiveLockBack":
      return Effect.gen(function* () {
        const locked = `${step.adminDirectory}/locked`
        const prior = `${step.adminDirectory}/${priorLock}`
        const found = yield* lookAt(locked)
        const ours = found._tag === "File" && found.text.trim() === step.reason
        if (found._tag !== "Nothing" && !ours) return yield* Effect.fail("its lock is not ours any more")
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
        const refs = yield* read([common, "for-each-ref", "--format=%(objectname)", step.branch])
        const head = (yield* read([admin, "rev-parse", "--verify", "HEAD^{commit}"])).trim()
        const list = GitList.worktrees(yield* read([common, "worktree", "list", "--porcelain", "-z"]))
        if (list === undefined) return yield* Effect.fail("git worktree list printed something else than a list")
        const holder = list.find(({ branch }) => branch === step.branch)
        if (head !== step.head || refs.trim() !== step.head) {
          return [`HEAD stays detached, because branch ${short} has moved on; see \`git switch\``]
        }
        if (holder !== undefined) {
          return holder.head === step.head && (yield* isAdminOf(holder.path, step.adminDirectory))
            ? []
            : [`HEAD stays detached, because branch ${short} is checked out in ${holder.path}`]
        }
        yield* write([admin, "symbolic-ref", "-m", "session-liveness: put back", "HEAD", step.branch])
        return []
      })

    case "Move":
      return Effect.gen(function* () {
        if (!(yield* isThere(step.from)) && (yield* isThere(step.to))) return []
        const parent = step.to.slice(0, step.to.lastIndexOf("/"))
        yield* told(fs.makeDirectory(parent, { recursive: true, mode: 0o700 }))
        if (yield* isThere(step.to)) return yield* Effect.fail(`${step.to} is taken`)
        const [from, to] = yield* told(Effect.all([fs.stat(step.from), fs.stat(parent)]))
        if (from.dev !== to.dev)
          return yield* Effect.fail(`${parent} lies on another device, so that it cannot be moved there`)
        yield* write([common, "worktree", "move", "-f", "-f", step.from, step.to])
        return []
      })

    case "LeaveTombstone":
      return Effect.gen(function* () {
        const found = yield* lookAt(step.path)
        if (found._tag === "File" && found.text === step.text) return []
        if (found._tag !== "Nothing") return [`something else stands at ${step.path} already`]
        yield* told(fs.makeDirectory(step.path.slice(0, step.path.lastIndexOf("/")) || "/", { recursive: true }))
        yield* told(fs.writeFileString(step.path, step.text, { flag: "wx", mode: 0o444 }))
        return []
      })

    case "RemoveTombstone":
      return Effect.gen(function* () {
        const found = yield* lookAt(step.path)
        if (found._tag === "Nothing") return []
        const ours = found._tag === "File" ? ReclaimRecord.parseTombstone(found.text) : Option.none()
        if (Option.isNone(ours) || ours.value.name !== step.name) {
          return yield* Effect.fail(`something else stands at ${step.path}; move it away first`)
        }
        yield* told(fs.remove(step.path))
        return []
      })

    case "HideTombstone":
      return Effect.gen(function* () {
        const list = GitList.worktrees(yield* read([common, "worktree", "list", "--porcelain", "-z"])) ?? []
        const around = list
          .filter(({ bare, path }) => !bare && step.path.startsWith(`${path}/`))
          .sort((a, b) => b.path.length - a.path.length)[0]
        if (around === undefined || /[\n\r]/.test(step.path)) return []
        const ignored = yield* Effect.option(read(["-C", around.path, "check-ignore", "--no-index", step.path]))
        if (Option.isSome(ignored)) return []
        const exclude = `${commonDirectory}/info/exclude`
        const found = yield* lookAt(exclude)
        if (found._tag === "Broken") return [`${step.path} shows as untracked: ${exclude} ${found.why}`]
        const text = found._tag === "File" ? found.text : ""
        const pattern = step.path.slice(around.path.length).replaceAll(/[\\*?[\]!#\s]/g, "\\$&")
        yield* told(fs.makeDirectory(`${commonDirectory}/info`, { recursive: true }))
        yield* told(
          fs.writeFileString(
            exclude,
            `${text === "" || text.endsWith("\n") ? "" : "\n"}${excludeMark(step.name)}\n${pattern}\n`,
            { flag: "a" }
          )
        )
        return []
      })

    case "UnhideTombstone":
      return Effect.gen(function* () {
        const exclude = `${commonDirectory}/info/exclude`
        const found = yield* lookAt(exclude)
        if (found._tag !== "File") return []
        const lines = found.text.split("\n")
        const at = lines.indexOf(excludeMark(step.name))
        if (at === -1) return []
        lines.splice(at, 2)
        yield* told(fs.writeFileString(`${exclude}.new`, lines.join("\n")))
        yield* told(fs.rename(`${exclude}.new`, exclude))
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
        const prior = `${step.adminDirectory}/${priorLock}`
        const locked = `${step.adminDirectory}/locked`
        if (yield* isThere(locked)) return []
        if (yield* isThere(open)) {
          if (yield* isThere(step.worktree)) {
            if (!(yield* isThere(`${step.worktree}/.git`))) {
              yield* told(
                fs.writeFileString(`${step.worktree}/.git`, `gitdir: ${step.adminDirectory}\n`, { flag: "wx" })
              )
            }
            yield* write([
              `--git-dir=${step.adminDirectory}`,
              `--work-tree=${step.worktree}`,
              "checkout-index",
              "--all",
              "--quiet"
            ])
            yield* told(fs.rename(open, locked))
          } else yield* write([common, "worktree", "remove", step.worktree])
        } else if (yield* isThere(prior)) yield* told(fs.rename(prior, locked))
        return []
      })

    case "Remove":
      return Effect.gen(function* () {
        const list = GitList.worktrees(yield* read([common, "worktree", "list", "--porcelain", "-z"]))
        if (list === undefined) return yield* Effect.fail("git worktree list printed something else than a list")
        if (list.some(({ path }) => path === step.path)) yield* write([common, "worktree", "remove", step.path])
        return []
      })
  }

  function isAdminOf(worktree: string, adminDirectory: string): Effect.Effect<boolean, string> {
    return Effect.map(lookAt(`${worktree}/.git`), (file) => file._tag === "File" && file.text.includes(adminDirectory))
  }
}

/**
 * Whether an admin directory holds a lock that a sweep that died has left between two names.
 */
export const isBetweenLocks = (fs: FileSystem.FileSystem, adminDirectory: string): Effect.Effect<boolean, string> =>
  Effect.gen(function* () {
    const names = yield* fs.readDirectory(adminDirectory)
    return !names.includes("locked") && (names.includes(priorLock) || names.includes(openLock))
  }).pipe(Effect.mapError((cause) => cause.message))

const maxBytes = 64 * 1024 * 1024
const idsPerCall = 500

const excludeMark = (name: string): string => `# session-liveness: what stands where ${name} stood`
