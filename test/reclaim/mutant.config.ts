/**
 * One test on the library with one mistake in it, the one of the number `MUTANT`.
 */
import { assert } from "@effect/vitest"
import { defineConfig } from "vitest/config"
import * as Mutants from "./Mutants.ts"

const { file, find, replace, test } = Mutants.all[Number(process.env["MUTANT"])] ?? assert.fail("no such mutant")

export default defineConfig({
  // A module that was kept from another run lacks the mistake.
  test: { include: [`test/reclaim/${test}`], fsModuleCache: false },
  plugins: [
    {
      name: "mutant",
      enforce: "pre",
      transform: (code, id) => (id.endsWith(`/src/${file}`) ? code.replace(find, () => replace) : undefined)
    }
  ]
})
