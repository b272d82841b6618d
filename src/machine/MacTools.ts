/**
 * The programs of macOS that are asked in the place of `/proc`. They are called by their paths and never looked for.
 */
import type * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { ChildProcessSpawner } from "effect/process"
import * as Bound from "../shared/Bound.ts"
import * as Command from "../shared/Command.ts"

/**
 * Where each of them lies.
 */
export interface MacTools {
  readonly ps: string
  readonly lsof: string
  readonly mount: string
  readonly sysctl: string
}

export const standard: MacTools = {
  ps: "/bin/ps",
  lsof: "/usr/sbin/lsof",
  mount: "/sbin/mount",
  sysctl: "/usr/sbin/sysctl"
}

/**
 * Gives the standard output of a tool that ends by itself with exit code 0, and fails with the reason otherwise. It runs
 * in `/`, because what it uses itself is among what it prints.
 */
export const ask = (
  spawner: ChildProcessSpawner.ChildProcessSpawner["Service"],
  command: string,
  args: ReadonlyArray<string>,
  { env, bound }: { readonly env: Readonly<Record<string, string>>; readonly bound: Context.Reference<Duration.Input> }
): Effect.Effect<string, string> =>
  Command.run(spawner, { command, args, env, cwd: "/", maxBytes, bound }).pipe(
    Effect.mapError(({ detail }) => detail),
    Effect.flatMap(({ exitCode, stdout, stderr }) =>
      exitCode === 0
        ? Effect.succeed(stdout)
        : Effect.fail(`${command} ended with exit code ${exitCode}: ${(stderr || stdout).trim().slice(0, 200)}`)
    )
  )

/**
 * What macOS calls the time since it booted; `null` where it does not tell. No two machines share it, and setting the
 * clock does not change it.
 */
export const bootSession = (
  spawner: ChildProcessSpawner.ChildProcessSpawner["Service"],
  { sysctl }: MacTools
): Effect.Effect<string | null> =>
  ask(spawner, sysctl, ["-n", "kern.bootsessionuuid"], { env: { LC_ALL: "C" }, bound: Bound.Observation }).pipe(
    Effect.map((text) => /^([0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12})\n$/i.exec(text)?.[1] ?? null),
    Effect.orElseSucceed(() => null)
  )

const maxBytes = 256 * 1024 * 1024
