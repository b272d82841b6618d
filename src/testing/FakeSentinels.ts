/**
 * Ownership sentinels as they are described, by the path of the worktree; every other worktree names nobody.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Sentinel from "../verdict/core/OwnerSentinel.ts"
import { layerMemory, OwnerSentinel } from "../verdict/OwnerSentinel.ts"

export type FakeSentinels = ReadonlyMap<string, Sentinel.Sentinel>

/**
 * What is written stays within one build of the layer. `described` gives the path under which a worktree is described
 * that may have been moved since; unless given, it is where it was.
 */
export const layer = (
  sentinels: FakeSentinels,
  described: (path: string) => string = (path) => path
): Layer.Layer<OwnerSentinel> =>
  Layer.effect(
    OwnerSentinel,
    Effect.map(OwnerSentinel, ({ read, write, markEnded }) =>
      OwnerSentinel.of({
        read: (path) => read(described(path)),
        write: (path, sentinel) => write(described(path), sentinel),
        markEnded: (path, agentId, at) => markEnded(described(path), agentId, at)
      })
    )
  ).pipe(Layer.provide(Layer.suspend(() => layerMemory(new Map(sentinels)))))
