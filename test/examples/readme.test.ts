import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { SweepLaws } from "../../src/testing/index.ts"
import { tempRoot } from "../TempRoot.ts"
import { project, shell } from "./Program.ts"
import * as World from "./World.ts"

const timeout = 60_000

const block = (page: string, nth = 1): string =>
  fs.readFileSync(path.join(project, page), "utf8").split("```ts\n")[nth]?.split("```")[0] ?? ""

const example = Effect.fnUntraced(function* (nth: number, cwd: string = project) {
  const line = `"$NODE" --input-type=module-typescript --eval "$EXAMPLE"`
  return yield* shell("", line, { cwd, env: { MY_ROOT: yield* tempRoot, EXAMPLE: block("README.md", nth) } })
})

/** A repository of its own for what changes one, where the packages are found as in the project. */
const repository = Effect.map(World.repository, (repository) => {
  const modules = path.join(repository.main, "node_modules")
  fs.mkdirSync(modules)
  fs.symlinkSync(project, path.join(modules, "session-liveness"))
  for (const name of ["effect", "@effect"])
    fs.symlinkSync(path.join(project, "node_modules", name), path.join(modules, name))
  return repository
})

describe("README", () => {
  it.live(
    "its examples run as they stand",
    () =>
      Effect.gen(function* () {
        const links = yield* example(1)
        assert.deepStrictEqual(links, { stdout: "2 \nRead\n", stderr: "", exitCode: 0, signal: null })
        const { main, worktree } = yield* repository
        const one = worktree("one")
        for (const nth of [2, 3]) {
          const said = yield* example(nth, main)
          assert.include(said.stdout, one)
          assert.deepStrictEqual([said.stderr, said.exitCode], ["", 0])
        }
      }),
    timeout
  )

  it.live(
    "its test of the laws is one",
    () =>
      Effect.gen(function* () {
        const { main } = yield* repository
        const few = block("src/testing/README.md")
          .replace("10_000", "20")
          .replace("Laws.tests(it.live, mine)", "Laws.tests(it.live, mine, { runs: 20 })")
        assert.include(few, "{ runs: 20 }")
        fs.writeFileSync(path.join(main, "laws.test.ts"), few)
        fs.writeFileSync(
          path.join(main, "MyProbe.ts"),
          `import { FakeTmux, SweepFakes } from "session-liveness/testing"
           export const myProbe = (world, corruptions) => FakeTmux.layer(() => SweepFakes.toTmux(world()), corruptions)`
        )
        const vitest = "node_modules/vitest/vitest.mjs"
        const { stdout, stderr } = yield* shell(vitest, '"$NODE" "$PROGRAM" run --root . --no-color', { cwd: main })
        assert.match(stdout, new RegExp(`Tests +${SweepLaws.all.length + 1} passed`), stderr)
      }),
    timeout
  )
})
