import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as path from "node:path"
import { command, run } from "../examples/Program.ts"
import { tempRoot } from "../TempRoot.ts"
import { prune } from "./Prune.ts"
import { render } from "./Rendered.ts"
import * as Steps from "./Steps.ts"

const timeout = 120_000

/** How each command and program is used wrongly. */
const wrong: ReadonlyArray<readonly [file: string, ...args: ReadonlyArray<string>]> = [
  [command],
  [command, "nope"],
  [command, "sweep", "--yes"],
  [command, "sweep", "--apply"],
  [command, "sweep", ""],
  [command, "sweep", "--aply"],
  [command, "sweep", "--quiet-for", "soon"],
  [command, "explain"],
  [command, "explain", "a", "b"],
  [command, "check"],
  [command, "list", "--nope"],
  [command, "restore"],
  [command, "restore", ""],
  [command, "expire", "--older-than", "soon"],
  [command, "sessions", "--nope"],
  [command, "sessions", "--caller"],
  [command, "adopt", "a"],
  [command, "adopt", "a", "--agent", "b"],
  [command, "release"],
  [command, "links"],
  [command, "links", "show"],
  [command, "links", "prune", "--older-than", "soon"],
  [command, "setup", "stray"],
  [command, "tour", "--nope"],
  ["dist/bin/session-liveness-hook.js", "--nope"],
  ["dist/bin/session-liveness-hook.js", "--within", "30000"],
  ["dist/bin/session-liveness-status-line.js", "--nope"],
  ["dist/bin/session-liveness-status-line.js"]
]

describe("what the programs say when they fail", () => {
  it.live(
    "reads as it does in programs.txt",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        const usage = yield* Effect.forEach(
          wrong,
          ([file, ...args]) =>
            Effect.map(
              run(file, args, { root, cwd: root }),
              ({ stderr, exitCode }) =>
                [
                  `${[path.basename(file).replace(/\.[jt]s$/, ""), ...args.map((arg) => arg || "''")].join(" ")} (exit ${exitCode})`,
                  // A program is named as it was started, from where one stands if that is shorter.
                  stderr.replaceAll(/node \S*\/session-liveness\.js/g, "session-liveness")
                ] as const
            ),
          { concurrency: 3 }
        )
        const text = render({
          "what stands in the way of a step": yield* Steps.steps,
          "another sweep": yield* Steps.guard,
          "a link file that was to be pruned": yield* prune,
          "wrong usage": Object.fromEntries(usage)
        })
        yield* Effect.promise(() => expect(text).toMatchFileSnapshot("programs.txt"))
      }),
    timeout
  )
})
