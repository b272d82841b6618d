import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { tempRoot } from "../TempRoot.ts"
import * as Docs from "./Docs.ts"
import { project, shell } from "./Program.ts"
import * as World from "./World.ts"

const timeout = 60_000

const example = Effect.fnUntraced(function* (nth: number, cwd: string = project) {
  const line = `"$NODE" --input-type=module-typescript --eval "$EXAMPLE"`
  return yield* shell("", line, {
    cwd,
    env: { MY_ROOT: yield* tempRoot, EXAMPLE: Docs.blocks("README.md")[nth - 1] ?? "" }
  })
})

/** A repository of its own for what changes one, where the packages are found as in the project. */
const repository = Effect.tap(World.repository, ({ main }) => Docs.linkPackages(main))

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
})
