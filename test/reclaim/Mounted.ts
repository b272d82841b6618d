import { Effect, type Scope } from "effect"
import { execFileSync, spawnSync } from "node:child_process"

/** Mounts something that goes with the scope; `false` where that is not allowed. */
export const mounted = (at: string, ...how: ReadonlyArray<string>): Effect.Effect<boolean, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => spawnSync("mount", [...how, at], { stdio: "ignore" }).status === 0),
    (isMounted) => Effect.sync(() => isMounted && execFileSync("umount", ["-l", at]))
  )
