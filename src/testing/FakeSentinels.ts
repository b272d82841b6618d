/**
 * Ownership sentinels as they are described, by the path of the worktree; every other worktree names nobody.
 */
import * as Layer from "effect/Layer"
import type * as Sentinel from "../core/OwnerSentinel.ts"
import { layerMemory, type OwnerSentinel } from "../services/OwnerSentinel.ts"

export type FakeSentinels = ReadonlyMap<string, Sentinel.OwnerSentinel>

/** What is written stays within one build of the layer. */
export const layer = (sentinels: FakeSentinels): Layer.Layer<OwnerSentinel> =>
  Layer.suspend(() => layerMemory(new Map(sentinels)))
