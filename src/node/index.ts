import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { homedir } from "node:os"
import { resolve } from "node:path"
import * as Root from "../shared/core/Root.ts"
import type { make, Options } from "./NodeLayer.ts"

export { layerLinkWriter, layerSavingsLedger, layerSidecar, layerSidecarReader } from "./Sidecar.ts"
export * as StatusLine from "./StatusLine.ts"
export type { Options } from "./NodeLayer.ts"

/**
 * What `layer` provides.
 */
export type Services = Layer.Success<ReturnType<typeof make>>

/**
 * The root of this process, absolute: `argument`, else `TRUSTY_MPM_ROOT`, else `~/.trusty-mpm`.
 */
export const defaultRoot = (argument?: string | undefined): string =>
  resolve(Root.resolve({ argument, variable: process.env["TRUSTY_MPM_ROOT"], home: homedir() }))

/**
 * Whether somebody named the root of this process, by an argument or by `TRUSTY_MPM_ROOT`. Where nobody did, there need
 * not be a manager.
 */
const isNamed = (argument?: string | undefined): boolean => (argument || process.env["TRUSTY_MPM_ROOT"] || "") !== ""

/**
 * Every service, on Node, for one root: that of `defaultRoot` unless given. It needs the peer `@effect/platform-node`,
 * which is only loaded when this layer is built, so that a program that uses the synchronous layers alone starts fast.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { WorkspaceClaims } from "session-liveness"
 * import { layer } from "session-liveness/node"
 *
 * const program = WorkspaceClaims.observe.pipe(Effect.provide(layer({ root: "/srv/manager" })))
 * ```
 */
export const layer = (
  options: Omit<Options, "root"> & { readonly root?: string | undefined } = {}
): Layer.Layer<Services> =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => import("./NodeLayer.ts")),
      ({ make }) => make({ named: isNamed(options.root), ...options, root: defaultRoot(options.root) })
    )
  )
