import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { CliOutput } from "effect/cli"
import * as fs from "node:fs"
import * as path from "node:path"
import * as World from "../examples/World.ts"
import { command, project, shell } from "../examples/Program.ts"

const programs = ["session-liveness", "session-liveness-hook", "session-liveness-status-line"]

/** The commands that a help lists below its flags. */
const listed = (help: string): ReadonlyArray<string> =>
  [...help.matchAll(/^(?:SUBCOMMANDS|[A-Z][A-Za-z ]+:)\n((?: {2}.*\n?)*)/gm)].flatMap(([, rows = ""]) =>
    [...rows.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, name = ""]) => name)
  )

const examples = (help: string): ReadonlyArray<string> =>
  (/^examples?:?\n([^]*)/im.exec(help)?.[1] ?? "")
    .replaceAll(/\|\n */g, "| ")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("  #"))

describe("the help of every command", () => {
  it.live(
    "fits 80 columns where nothing says how wide it may be, and its examples are understood as they stand",
    () =>
      Effect.gen(function* () {
        const { root, worktree } = yield* World.repository
        const cwd = worktree("fix")
        const bin = path.join(root, "bin")
        fs.mkdirSync(bin)
        for (const program of programs)
          fs.symlinkSync(path.join(project, `dist/bin/${program}.js`), `${bin}/${program}`)
        fs.symlinkSync(process.execPath, `${bin}/node`)
        const PATH = `${bin}:${process.env["PATH"]}`
        const env = {
          PATH,
          HOME: root,
          TMUX_TMPDIR: root,
          CLAUDE_CODE_SESSION_ID: "c-1",
          DATABASE_URL: "",
          CLAUDE_CONFIG_DIR: ""
        }
        const typed = (line: string) => shell(command, line, { root, cwd, env })

        const of = (line: string): Effect.Effect<ReadonlyArray<string>> =>
          Effect.gen(function* () {
            const { stdout, exitCode } = yield* typed(`${line} --help`)
            assert.strictEqual(exitCode, 0, line)
            const wide = stdout.split("\n").filter((line) => CliOutput.displayWidth(line) > 80)
            assert.deepStrictEqual(wide, [], line)
            const inside = yield* Effect.forEach(listed(stdout), (name) => of(`${line} ${name}`))
            const shown = examples(stdout)
            assert.isNotEmpty(shown, line)
            assert.isTrue(
              shown.some((example) => example.includes(line)),
              line
            )
            return [...shown, ...inside.flat()]
          })
        const shown = (yield* Effect.forEach(programs, of)).flat()
        assert.isAbove(shown.length, 30)
        for (const example of shown) {
          const { stderr, exitCode } = yield* typed(example)
          assert.notInclude(stderr, "--help", example)
          // Nobody can be asked here, and there is no database.
          assert.include([0, 1, 2, 10], exitCode, `${example}\n${stderr}`)
          if (exitCode === 2) assert.match(stderr, /nobody can be asked|no database is named/, example)
        }
      }),
    180_000
  )
})
