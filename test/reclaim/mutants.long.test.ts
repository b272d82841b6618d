import { assert, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import * as Mutants from "./Mutants.ts"

const root = path.join(import.meta.dirname, "../..")

/** How many tests failed, on a library with that mistake in it. */
const failed = (index: number, name: string): Promise<number> =>
  new Promise((resolve) => {
    const args = [
      "run",
      "--root",
      root,
      "--config",
      "test/reclaim/mutant.config.ts",
      "--reporter",
      "tap-flat",
      "-t",
      name
    ]
    const env = { ...process.env, MUTANT: String(index) }
    execFile(path.join(root, "node_modules/.bin/vitest"), args, { env, cwd: root }, (_, stdout) =>
      resolve(stdout.match(/^not ok /gm)?.length ?? 0)
    )
  })

it("each stands exactly once in the source", () => {
  const astray = Mutants.all.filter(
    ({ file, find }) => fs.readFileSync(path.join(root, "src", file), "utf8").split(find).length !== 2
  )
  assert.deepStrictEqual(
    astray.map(({ file, find }) => `${file}: ${find}`),
    []
  )
})

describe("a mistake breaks the test of its rule on real git", () => {
  for (const [index, { rule, mistake, breaks }] of Mutants.all.entries()) {
    it(`${rule}: ${mistake}`, async () => assert.strictEqual(await failed(index, breaks), 1), 300_000)
  }
})
