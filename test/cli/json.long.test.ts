import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import * as Isolated from "../examples/Isolated.ts"
import { command, project, run } from "../examples/Program.ts"
import * as World from "../examples/World.ts"

const timeout = 120_000

const rows = [
  ...fs.readFileSync(path.join(project, "src/cli/README.md"), "utf8").matchAll(/^\| ([^|\n]*) \| ((?:`\w+` ?)+) \|$/gm)
].map(([, of = "", fields = ""]) => [of, fields.match(/\w+/g) ?? []] as const)

const documented = (of: string): ReadonlyArray<string> => {
  const row = rows.find(([name]) => name === of)
  return row === undefined ? assert.fail(`${of} is not documented`) : row[1]
}

const fieldsOf = (stdout: string): ReadonlyArray<string> =>
  Object.keys(JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? ""))

describe.skipIf(!Isolated.allowed)("--json", () => {
  it.live(
    "has the fields that the README of the command lists, in their order",
    () =>
      Effect.gen(function* () {
        const { root, main, worktree } = yield* World.repository
        const one = worktree("one")
        fs.writeFileSync(path.join(worktree("dirty"), "a"), "x")
        World.records(root, { harbor: { tmux_name: "tm-harbor" } })
        fs.mkdirSync(path.join(root, "usage/session-links"), { recursive: true })
        for (const [name, text] of Object.entries({ old: "a\n", torn: "b\nc" })) {
          const file = path.join(root, "usage/session-links", name)
          fs.writeFileSync(file, text)
          fs.utimesSync(file, 1_700_000_000, 1_700_000_000)
        }
        const given = { root, cwd: main, env: { HOME: root, CLAUDE_CONFIG_DIR: "" } }
        const here = (...args: ReadonlyArray<string>) => Isolated.run(command, [...args, "--json"], given)
        const line = '"$NODE" "$PROGRAM" "$@"'
        const plain = (...args: ReadonlyArray<string>) => Isolated.run(command, [...args, "--json"], { ...given, line })
        const seen = new Set<string>()
        const has = (of: string, { stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => {
          seen.add(of)
          assert.notStrictEqual(stdout, "", `${of}: ${stderr}`)
          assert.deepStrictEqual(fieldsOf(stdout), documented(of), of)
        }
        has("`sweep`", yield* here("sweep"))
        has("`sweep --slim`: kept", yield* here("sweep", "--slim"))
        has("`check`", yield* here("check", one))
        has("`explain`", yield* here("explain", one))
        has("`check`, `explain` of what is no linked worktree", yield* here("check", root))
        has("`check`, `explain` of what is no linked worktree", yield* here("explain", root))
        has("`adopt`, `release`", yield* plain("adopt", one, "--session", "harbor"))
        has("`adopt`, `release`", yield* plain("release", one))
        has(
          "`sweep --apply`: moved",
          yield* here("sweep", "--quiet-for", "0h", "--settled-for", "0h", "--apply", "--yes")
        )
        has("`list`", yield* plain("list"))
        has("`restore`: restored", yield* here("restore", one))
        has("whatever is kept", yield* here("restore", one))
        yield* here("sweep", "--quiet-for", "0h", "--settled-for", "0h", "--apply", "--yes")
        has("`expire`", yield* here("expire"))
        has("`sessions`", yield* here("sessions"))
        has("`links show`", yield* plain("links", "show", "a"))
        has("`links prune`", yield* plain("links", "prune"))
        has("`links prune --apply`", yield* plain("links", "prune", "--apply", "--yes"))
        has("`links heal`", yield* plain("links", "heal"))
        fs.rmSync(worktree("gone"), { recursive: true })
        fs.mkdirSync(path.join(main, ".claude/worktrees/orphan"), { recursive: true })
        fs.writeFileSync(path.join(main, ".claude/worktrees/orphan/notes"), "x")
        const lost = yield* here("sweep")
        for (const [of, key] of [
          ["`sweep`: a registration whose directory is gone", "gone"],
          ["`sweep`: a directory that no repository registers", "orphan"]
        ] as const) {
          const told = lost.stdout.split("\n").find((each) => each.startsWith(`{"${key}":`))
          has(of, { ...lost, stdout: told ?? "" })
        }
        has("`doctor`", yield* here("doctor"))
        has("`setup`", yield* plain("setup"))
        // A failure takes a broken disk, an expiry takes days, and there is nothing empty and nothing to free.
        assert.deepStrictEqual(
          rows.map(([of]) => of).filter((of) => !seen.has(of)),
          [
            "`sweep --slim`: to be slimmed",
            "`sweep --apply`: an empty directory that was removed",
            "`expire --apply`: removed",
            "whatever is slimmed",
            "whatever fails"
          ]
        )
      }),
    timeout
  )

  it.live("every command is in the README, and every exit code", () =>
    Effect.gen(function* () {
      const readme = fs.readFileSync(path.join(project, "src/cli/README.md"), "utf8")
      const help = (yield* run(command, ["--help"])).stdout
      const commands = [...help.matchAll(/^ {2}([a-z]+) {2,}\S/gm)].map(([, name = ""]) => name)
      assert.isAbove(commands.length, 10)
      for (const name of commands) assert.match(readme, new RegExp(`^\\| \`${name}[ \`]`, "m"), name)
      for (const code of [0, 1, 2, 10, 130]) assert.match(readme, new RegExp(`^\\| ${code} \\|`, "m"))
    })
  )
})
