import { assert, describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as path from "node:path"
import { command, project, run } from "../examples/Program.ts"
import { tempRoot } from "../TempRoot.ts"
import { prune } from "./Prune.ts"
import type * as Said from "./Said.ts"
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

const render = (sections: Readonly<Record<string, Said.Texts>>): string =>
  Object.entries(sections)
    .map(
      ([title, texts]) =>
        `## ${title}\n\n${Object.entries(texts)
          .map(([name, text]) => `${name}\n    ${text.trimEnd().replaceAll("\n", "\n    ")}\n`)
          .join("\n")}`
    )
    .join("\n\n")

describe("what the library and its programs say when they refuse or fail", () => {
  // Said within a test, so that a mutation tester knows which test hears it.
  it("reads as it does in texts.txt", async () => {
    const { sections } = await import("./Said.ts")
    await expect(render(sections)).toMatchFileSnapshot("texts.txt")
  })

  it("is one line each, names what was seen, and shows every answer", async () => {
    const { endTags, sections } = await import("./Said.ts")
    const all = Object.values(sections).flatMap((texts) => Object.entries(texts))
    for (const [name, text] of all) {
      assert.notMatch(text, /undefined|\[object|\n[^ ]|[\p{Cc}]/u, name)
      assert.notStrictEqual(text, "", name)
    }
    assert.deepStrictEqual([...endTags].sort(), ["Caller", "Ended", "Live", "Undeterminable"])
  })

  it("says the way out of what a person can change", async () => {
    const { sections } = await import("./Said.ts")
    for (const section of ["tmux was not observed", "a session counts as live"]) {
      for (const [name, text] of Object.entries(sections[section] ?? {}))
        assert.include(text, "; to settle it, ", `${section}: ${name}`)
    }
    const refusals = Object.entries(sections)
      .filter(([title]) => title.startsWith("the gate ") || title.startsWith("why a worktree stays"))
      .flatMap(([title, texts]) => Object.entries(texts).map(([name, text]) => [`${title}: ${name}`, text] as const))
      .filter(([, text]) => text !== "(permits)")
    const silent = refusals.filter(([, text]) => !/; |\[(git|session-liveness) /.test(text)).map(([name]) => name)
    assert.deepStrictEqual(silent, [])
  })

  it.live(
    "reads as it does in programs.txt, when a step or a program fails",
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
                  // A program is named as it was started.
                  stderr.replaceAll(`node ${path.join(project, command)}`, "session-liveness")
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
