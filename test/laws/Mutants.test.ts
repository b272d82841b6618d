import * as fs from "node:fs"
import { assert, it } from "@effect/vitest"
import * as Mutants from "./Mutants.ts"

it("each stands exactly once in the source", () => {
  const astray = Mutants.all.filter(
    ({ file, find }) => fs.readFileSync(new URL(`../../src/${file}`, import.meta.url), "utf8").split(find).length !== 2
  )
  assert.deepStrictEqual(
    astray.map(({ file, find }) => `${file}: ${find}`),
    []
  )
})
