/**
 * Layers under test, and the fakes that take the place of what is not given.
 */
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import { ClaudeSessions } from "../../claims/ClaudeSessions.ts"
import { TmuxProbe } from "../../claims/TmuxProbe.ts"
import * as Sidecar from "../../links/SidecarReader.ts"
import * as MacProcessTable from "../../machine/MacProcessTable.ts"
import { ProcessTable } from "../../machine/ProcessTable.ts"
import { GitChanges } from "../../reclaim/GitChanges.ts"
import type * as Reclaim from "../../reclaim/Reclaim.ts"
import { SessionStore } from "../../records/SessionStore.ts"
import { Git } from "../../verdict/Git.ts"
import { OwnerSentinel } from "../../verdict/OwnerSentinel.ts"
import * as Restorations from "../../verdict/Restorations.ts"
import * as FakeClaudeSessions from "../FakeClaudeSessions.ts"
import * as FakeGit from "../FakeGit.ts"
import * as FakeMacTools from "../FakeMacTools.ts"
import * as FakeProcessTable from "../FakeProcessTable.ts"
import * as FakeSentinels from "../FakeSentinels.ts"
import * as FakeSessionStore from "../FakeSessionStore.ts"
import * as FakeTmux from "../FakeTmux.ts"
import * as SweepFakes from "./SweepFakes.ts"
import * as SweepGit from "./SweepGit.ts"
import * as SweepMac from "./SweepMac.ts"
import * as SweepPlaces from "./SweepPlaces.ts"
import * as SweepProcesses from "./SweepProcesses.ts"
import type * as SweepWorld from "./SweepWorld.ts"

export type World = SweepWorld.SweepWorld

/** What the programs need besides a file system. */
export type Services = Exclude<Reclaim.Services, FileSystem.FileSystem>

/**
 * Layers under test, over a file system that holds all of the world that is files. `world` gives the world as it is when
 * it is called: records, servers, processes and the registry go on changing while the layers stand. What is corrupted is
 * the text of tmux; a probe that reads no text may pass over it.
 */
export type Subject = (
  world: () => World,
  corruptions: ReadonlyArray<FakeTmux.Corruption>
) => Layer.Layer<Services, never, FileSystem.FileSystem>

/** The fakes. */
export const fakes: Subject = (world, corruptions) => {
  const git = FakeGit.make(SweepGit.toGit(world()))
  return Layer.mergeAll(
    FakeSessionStore.layer(() => SweepFakes.toStore(world())),
    FakeTmux.layer(() => SweepFakes.toTmux(world()), corruptions),
    world().platform === "darwin"
      ? MacProcessTable.layer({ self: { pid: SweepProcesses.self, user: SweepProcesses.user } }).pipe(
          Layer.provide(FakeMacTools.layer(() => SweepMac.toTools(world()), corruptions))
        )
      : FakeProcessTable.layer(() => SweepProcesses.toProcessTable(world())),
    FakeClaudeSessions.layer(() => SweepFakes.toClaudeSessions(world())),
    FakeSentinels.layer(SweepFakes.toSentinels(world()), git.described),
    git.layer,
    Restorations.layerNone,
    world().sidecar === "NotConsulted" ? Sidecar.layerNone : Sidecar.layer({ root: SweepPlaces.root })
  )
}

/**
 * The fakes with layers of somebody's own in their place. Those may build on what they replace. Layers that replace
 * nothing break the law: what would be checked is the fakes alone.
 */
export const replacing =
  (
    own: (
      world: () => World,
      corruptions: ReadonlyArray<FakeTmux.Corruption>
    ) => Layer.Layer<never, never, Services | FileSystem.FileSystem>
  ): Subject =>
  (world, corruptions) => {
    const given = fakes(world, corruptions)
    const replaced = Layer.tap(Layer.provide(own(world, corruptions), given), ({ mapUnsafe }) =>
      replaceable.some(({ key }) => mapUnsafe.has(key))
        ? Effect.void
        : Effect.die(new Error(`none of them is one of ${replaceable.map(({ key }) => key).join(", ")}`))
    )
    return Layer.merge(given, replaced)
  }

const replaceable = [
  SessionStore,
  TmuxProbe,
  ProcessTable,
  ClaudeSessions,
  Sidecar.SidecarReader,
  OwnerSentinel,
  Git,
  GitChanges
]
