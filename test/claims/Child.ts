/**
 * Child processes of this Node.
 */
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import type { Observation } from "../../src/internal.ts"
import type * as Look from "./Look.ts"

export const script = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** Long enough for any machine: it ends a child that would never end. */
const patience = 30_000

/**
 * What a child printed, given that it ended by itself and well.
 */
export const run = (
  file: string,
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string | undefined>> = process.env
): Effect.Effect<string> =>
  Effect.callback<string>((resume) => {
    execFile(file, args, { env, timeout: patience, killSignal: "SIGKILL" }, (error, stdout, stderr) =>
      resume(
        error === null
          ? Effect.succeed(stdout)
          : Effect.die(
              new Error(`${error.killed === true ? "the child did not end" : error.message}\n${stdout}\n${stderr}`)
            )
      )
    )
  })

/** What a Node of its own observes, given that it then ends by itself. */
export const observed = (options: Look.Options & { readonly bound: number }): Effect.Effect<Observation.Observation> =>
  Effect.map(run(process.execPath, [script("observe.ts"), JSON.stringify(options)]), (printed) => JSON.parse(printed))
