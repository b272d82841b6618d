/**
 * Child processes of this Node, running a script of this directory.
 */
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import type * as Answers from "./Answers.ts"

export const script = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** Long enough for any machine: it ends a child that would never end. */
export const patience = 60_000

/**
 * What a child printed, given that it ended by itself and well.
 */
export const run = (file: string, args: ReadonlyArray<string>): Effect.Effect<string> =>
  Effect.callback<string>((resume) => {
    execFile(file, args, { timeout: patience, killSignal: "SIGKILL" }, (error, stdout, stderr) =>
      resume(
        error === null
          ? Effect.succeed(stdout)
          : Effect.die(
              new Error(`${error.killed === true ? "the child did not end" : error.message}\n${stdout}\n${stderr}`)
            )
      )
    )
  })

/**
 * What every program says about each of `roots` in one child, which may not hang and must end by itself.
 */
export const answers = (
  layer: Answers.LayerName,
  roots: ReadonlyArray<string>,
  options?: { readonly user?: number | undefined }
): Effect.Effect<ReadonlyArray<Answers.Answers>> =>
  Effect.map(run(process.execPath, [script("answer.ts"), layer, String(options?.user ?? ""), ...roots]), (printed) =>
    printed
      .trimEnd()
      .split("\n")
      .map((line): Answers.Answers => JSON.parse(line))
  )
