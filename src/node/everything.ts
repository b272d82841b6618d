import { NodeFileSystem } from "@effect/platform-node"
import * as Layer from "effect/Layer"
import * as SessionStore from "../services/SessionStore.ts"
import { layerSidecar, type Options } from "./Sidecar.ts"

/**
 * Every service of one root.
 */
export const make = ({ root }: Options) =>
  Layer.mergeAll(layerSidecar({ root }), SessionStore.layer({ root })).pipe(Layer.provideMerge(NodeFileSystem.layer))
