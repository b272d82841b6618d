import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import { ChildProcessSpawner } from "effect/process"
import type * as Scope from "effect/Scope"
import * as Bound from "../shared/Bound.ts"
import * as MacTools from "../machine/MacTools.ts"
import * as MountTable from "../machine/MountTable.ts"
import * as HostId from "../shared/HostId.ts"
import type { Repository } from "../verdict/Git.ts"
import * as GitCommand from "../verdict/GitCommand.ts"
import { type GitError, notDone, said } from "../verdict/GitCommand.ts"
import type { ReclaimStep } from "./core/ReclaimStep.ts"
import type * as SweepGuard from "./core/SweepGuard.ts"
import * as CarryOut from "./steps/CarryOut.ts"
import type { Tools } from "./steps/Tools.ts"
import * as SweepLock from "./SweepLock.ts"

/**
 * Changes repositories: moves worktrees out of the way and back, and removes them.
 */
export class GitChanges extends Context.Service<
  GitChanges,
  {
    /** Carries out one step. A git that moves or removes is never killed. Gives notes for a person. */
    readonly carryOut: (repository: Repository, step: ReclaimStep) => Effect.Effect<ReadonlyArray<string>, GitError>
    /**
     * Keeps every other sweep from changing the repository until the scope closes. `isAbandoned` says whether the holder
     * of a guard that was found is proven gone; then it is taken over. It is not asked about one on another machine or in
     * another pid namespace, whose guard is never taken over.
     */
    readonly guard: (
      repository: Repository,
      own: Omit<SweepGuard.SweepGuard, "host">,
      isAbandoned: (holder: SweepGuard.SweepGuard) => Effect.Effect<boolean>
    ) => Effect.Effect<void, GitError, Scope.Scope>
  }
>()("session-liveness/reclaim/GitChanges") {}

export interface Options extends GitCommand.Options {
  /** The effective user, to whom all that is changed must belong. */
  readonly user?: number | undefined
}

/**
 * Runs real git.
 */
export const layer = (
  options: Options
): Layer.Layer<GitChanges, never, FileSystem.FileSystem | ChildProcessSpawner.ChildProcessSpawner> =>
  Layer.effect(
    GitChanges,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
      const { machine, boot } = yield* HostId.read(fs)
      const command = GitCommand.make(fs, spawner, options)
      const { user, platform, tools = MacTools.standard } = options
      const host =
        machine === null && boot === null && platform === "darwin"
          ? MacTools.bootSession(spawner, tools)
          : Effect.succeed(machine ?? boot)
      return GitChanges.of({
        carryOut: ({ commonDirectory }, step) =>
          CarryOut.carryOut(
            {
              ...toolsFor(fs, user, command, commonDirectory, step),
              mountsIn: (path) =>
                Effect.flatMap(MountTable.read(fs, spawner, options), ({ pointsIn }) => pointsIn(path))
            },
            step
          ).pipe(Effect.mapError((detail) => notDone(commonDirectory, `the step ${step._tag} failed: ${detail}`))),
        guard: ({ commonDirectory }, own, isAbandoned) =>
          Effect.flatMap(host, (host) => {
            const asked = { fs, user, commonDirectory, own: { ...own, host }, isAbandoned }
            return Effect.acquireRelease(SweepLock.acquire(asked), () => SweepLock.release(asked))
          })
      })
    })
  )

const toolsFor = (
  fs: FileSystem.FileSystem,
  user: number | undefined,
  { run, ask, disarming }: GitCommand.GitCommand,
  commonDirectory: string,
  step: ReclaimStep
): Omit<Tools, "mountsIn"> => ({
  fs,
  user,
  commonDirectory,
  read: (args, input) => Effect.mapError(ask(commonDirectory, args, input), ({ detail }) => detail),
  write: Effect.fnUntraced(function* (args, { bounded = false, input } = {}) {
    const places = yield* whereOf(fs, step, args)
    const { exitCode, stderr } = yield* Effect.forEach(places, (where) => disarming(commonDirectory, where)).pipe(
      Effect.flatMap((disarmed) =>
        run(commonDirectory, [...disarmed.flat(), ...args], { bound: bounded ? Bound.Git : undefined, input })
      ),
      Effect.mapError(({ detail }) => detail)
    )
    if (exitCode !== 0) return yield* Effect.fail(`git ${args.slice(1).join(" ")}: ${said(exitCode, stderr)}`)
  })
})

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
