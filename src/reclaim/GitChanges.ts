import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { PlatformError } from "effect/PlatformError"
import { ChildProcessSpawner } from "effect/process"
import type * as Scope from "effect/Scope"
import type { ReclaimLeft } from "./core/ReclaimLeft.ts"
import type { ReclaimStep } from "./core/ReclaimStep.ts"
import * as SweepGuard from "./core/SweepGuard.ts"
import * as ReclaimedDirectory from "../verdict/core/ReclaimedDirectory.ts"
import type { Repository } from "../verdict/Git.ts"
import * as GitCommand from "../verdict/GitCommand.ts"
import { failed, type GitError, notDone, said } from "../verdict/GitCommand.ts"
import * as GitSteps from "./GitSteps.ts"
import * as RegularFile from "../shared/RegularFile.ts"
import * as WholeFile from "../shared/WholeFile.ts"

/**
 * Changes repositories: moves worktrees out of the way and back, and removes them.
 */
export class GitChanges extends Context.Service<
  GitChanges,
  {
    /** Carries out one step of a move, a restoration or a removal. It is never killed. Gives notes for a person. */
    readonly carryOut: (repository: Repository, step: ReclaimStep) => Effect.Effect<ReadonlyArray<string>, GitError>
    /**
     * Keeps every other sweep from changing the repository until the scope closes. `isAbandoned` says whether the holder
     * of a guard that was found is proven gone; then it is taken over. It is not asked of one in another pid namespace,
     * whose guard is never taken over.
     */
    readonly guard: (
      repository: Repository,
      own: SweepGuard.SweepGuard,
      isAbandoned: (holder: SweepGuard.SweepGuard) => Effect.Effect<boolean>
    ) => Effect.Effect<void, GitError, Scope.Scope>
    /** Everything that moves, restorations and removals have left, whether or not git can list it. */
    readonly left: (repository: Repository) => Effect.Effect<ReadonlyArray<ReclaimLeft>, GitError>
  }
>()("session-liveness/reclaim/GitChanges") {}

/**
 * Runs real git.
 */
export const layer = (
  options: GitCommand.Options
): Layer.Layer<GitChanges, never, FileSystem.FileSystem | ChildProcessSpawner.ChildProcessSpawner> =>
  Layer.effect(
    GitChanges,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
      const { run, ask, disarming } = GitCommand.make(fs, spawner, options)
      return GitChanges.of({
        carryOut: ({ commonDirectory }, step) =>
          GitSteps.carryOut(
            fs,
            {
              read: (args, input) => Effect.mapError(ask(commonDirectory, args, input), ({ detail }) => detail),
              write: Effect.fnUntraced(function* (args, input) {
                const places = yield* whereOf(fs, step, args)
                const disarmed = yield* Effect.forEach(places, (where) => disarming(commonDirectory, where)).pipe(
                  Effect.mapError(({ detail }) => detail)
                )
                const { exitCode, stderr } = yield* run(commonDirectory, [...disarmed.flat(), ...args], {
                  bound: undefined,
                  input
                }).pipe(Effect.mapError(({ detail }) => detail))
                if (exitCode !== 0)
                  return yield* Effect.fail(`git ${args.slice(1).join(" ")}: ${said(exitCode, stderr)}`)
              })
            },
            commonDirectory,
            step
          ).pipe(Effect.mapError((detail) => notDone(commonDirectory, `the step ${step._tag} failed: ${detail}`))),
        guard: ({ commonDirectory }, own, isAbandoned) =>
          Effect.asVoid(
            Effect.acquireRelease(takeGuard(fs, commonDirectory, own, isAbandoned), () =>
              leaveGuard(fs, commonDirectory, own)
            )
          ),
        left: ({ commonDirectory }) =>
          Effect.mapError(GitSteps.left(fs, commonDirectory), (detail) => failed(commonDirectory, detail))
      })
    })
  )

const guardOf = (commonDirectory: string): string => `${ReclaimedDirectory.of(commonDirectory)}/.sweep`

const maxPointerBytes = 64 * 1024

/**
 * Creates the guard, or takes over one whose holder is gone. Only one sweep at a time may take over, and it looks once
 * more whether there is still something to take.
 */
const takeGuard = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  commonDirectory: string,
  own: SweepGuard.SweepGuard,
  isAbandoned: (holder: SweepGuard.SweepGuard) => Effect.Effect<boolean>
): Effect.fn.Return<void, GitError> {
  const workshop = ReclaimedDirectory.of(commonDirectory)
  const path = guardOf(commonDirectory)
  const takeover = `${path}-takeover`
  const told = <A>(effect: Effect.Effect<A, PlatformError>) =>
    Effect.mapError(effect, (cause) =>
      notDone(
        commonDirectory,
        cause.reason._tag === "AlreadyExists"
          ? `another sweep is at work; wait for it, or remove ${path}* if none runs`
          : cause.message
      )
    )
  const create = (name: string) =>
    told(WholeFile.create(fs, { path: name, text: SweepGuard.print(own), mode: 0o600, workshop }))
  const isLeft = Effect.gen(function* () {
    const found = yield* RegularFile.read(fs, path, maxPointerBytes)
    if (found._tag === "Nothing") return false
    const holder = found._tag === "File" ? SweepGuard.parse(found.text) : Option.none()
    if (Option.isNone(holder)) return yield* notDone(commonDirectory, `${path} names no sweep; remove it if none runs`)
    if (SweepGuard.isElsewhere(holder.value, own)) {
      return yield* notDone(
        commonDirectory,
        `a sweep in another pid namespace (pid ${holder.value.pid} there) holds the repository, and it cannot be told from here whether it is still at work; wait for it, or remove ${path} if it has ended`
      )
    }
    if (yield* isAbandoned(holder.value)) return true
    return yield* notDone(
      commonDirectory,
      `another sweep is at work (pid ${holder.value.pid}), or git still is for one; wait for it, or remove ${path} if it has ended`
    )
  })
  yield* told(fs.makeDirectory(workshop, { recursive: true, mode: 0o700 }))
  if ((yield* told(fs.realPath(workshop))) !== workshop) {
    return yield* notDone(commonDirectory, `${workshop} leads elsewhere; remove the link`)
  }
  if (!(yield* isLeft)) return yield* create(path)
  yield* create(takeover)
  const drop = Effect.ignore(fs.remove(takeover))
  yield* Effect.flatMap(isLeft, (still) =>
    still ? told(fs.rename(takeover, path)) : Effect.andThen(create(path), drop)
  ).pipe(Effect.onError(() => drop))
})

/**
 * Removes the guard, unless it is another's by now.
 */
const leaveGuard = (
  fs: FileSystem.FileSystem,
  commonDirectory: string,
  own: SweepGuard.SweepGuard
): Effect.Effect<void> =>
  Effect.gen(function* () {
    const found = yield* RegularFile.read(fs, guardOf(commonDirectory), maxPointerBytes)
    if (found._tag === "File" && found.text === SweepGuard.print(own)) yield* fs.remove(guardOf(commonDirectory))
  }).pipe(Effect.ignore)

/**
 * The places whose configuration holds while a step runs git with these arguments: where they say, and for a removal also
 * the worktree, in which git then asks for its status. A removal that was stopped may have left no directory.
 */
const whereOf = (
  fs: FileSystem.FileSystem,
  step: ReclaimStep,
  args: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<ReadonlyArray<string>>> => {
  const named = args.filter((arg) => /^--(git-dir|work-tree)=/.test(arg))
  if (step._tag !== "Remove") return Effect.succeed([named])
  return fs.exists(step.path).pipe(
    Effect.orElseSucceed(() => true),
    Effect.map((exists) =>
      exists ? [named, ["-C", step.path, `--git-dir=${step.path}/.git`, `--work-tree=${step.path}`]] : [named]
    )
  )
}
