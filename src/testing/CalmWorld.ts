/**
 * A machine on which all is calm, for tests of programs of your own: `/w/b`, a linked worktree of the repository `/w/r`,
 * may go, and nobody is there. Say what is otherwise.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { Reclaim } from "session-liveness"
 * import { CalmWorld } from "session-liveness/testing"
 *
 * const survey = Reclaim.survey({ repositories: ["/w/r"] })
 * const permitted = survey.pipe(Effect.provide(CalmWorld.layer()))
 *
 * const shell = CalmWorld.process({ uses: [{ kind: "working directory", path: "/w/b" }] })
 * const refused = survey.pipe(Effect.provide(CalmWorld.layer({ processes: [shell] })))
 * ```
 */
import * as Layer from "effect/Layer"
import type * as Reclaim from "../reclaim/Reclaim.ts"
import * as FakeFileSystem from "./FakeFileSystem.ts"
import * as SweepFiles from "./sweep/SweepFiles.ts"
import * as SweepProcesses from "./sweep/SweepProcesses.ts"
import * as SweepSubject from "./sweep/SweepSubject.ts"
import * as SweepTime from "./sweep/SweepTime.ts"
import * as SweepWorld from "./sweep/SweepWorld.ts"

/** When it is what it is, in milliseconds since the epoch. Set a `TestClock` to it; the clock of this machine is later. */
export const now = SweepTime.now

/** All that surveys and moves need. */
export const layer = (otherwise: Partial<SweepWorld.SweepWorld> = {}): Layer.Layer<Reclaim.Services> => {
  const world = { ...SweepWorld.quiet, ...otherwise }
  return Layer.provideMerge(
    SweepSubject.fakes(() => world, []),
    FakeFileSystem.layer(SweepFiles.toTree(world))
  )
}

/** A process of ours, a shell unless told otherwise. Give each a `pid` where there are several. */
export const process = (otherwise: Partial<SweepWorld.Process>): SweepWorld.Process => ({
  ...SweepProcesses.idle,
  ...otherwise
})

/** A linked worktree like `/w/b`. */
export const worktree = (otherwise: Partial<SweepWorld.Worktree>): SweepWorld.Worktree => ({
  ...SweepWorld.quietWorktree,
  ...otherwise
})
