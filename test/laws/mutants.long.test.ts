import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Laws } from "../../src/testing/index.ts"
import * as Mutants from "./Mutants.ts"

const run = promisify(execFile)

const numberOf = (law: string): string => law.split(" ", 1)[0] ?? ""

describe.concurrent("a mistake in the library breaks the law", () => {
  for (const [index, { law, mistake }] of Mutants.all.entries()) {
    it(`${law}: ${mistake}`, async () => {
      const { stdout } = await run(process.execPath, [`${import.meta.dirname}/mutant.ts`, String(index)])
      assert.isTrue(stdout.startsWith(`${law}: broken\n`), stdout)
    }, 120_000)
  }
})

it("every law has at least three of them", () => {
  const counts = Object.groupBy(Mutants.all, ({ law }) => numberOf(law))
  for (const { name } of Laws.all) {
    assert.isAtLeast(counts[numberOf(name)]?.length ?? 0, 3, name)
    assert.isTrue(
      Mutants.all.some(({ law }) => law === name),
      name
    )
  }
})
