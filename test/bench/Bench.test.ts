import { assert, it } from "@effect/vitest"
import * as fs from "node:fs"
import { fileURLToPath } from "node:url"
import * as Bench from "./Bench.ts"
import * as Report from "./Report.ts"

const stage: Bench.Stage = { quick: false, say: () => {}, defer: () => {}, directory: () => "" }

it("compare runs both sides of each pair, each first in every other pair, and prepares each run", async () => {
  const ran: Array<string> = []
  const side = (name: string): Bench.Side => ({ prepare: () => ran.push("-"), run: () => ran.push(name) })
  const sides = { subject: side("a"), against: side("b") }
  const { pairs } = await Bench.compare(stage, { what: "a", rival: "b", ...sides, pairs: 4 })
  assert.strictEqual(pairs, 4)
  assert.strictEqual(ran.join("").slice(-16), "-a-b-b-a-a-b-b-a")
})

it("quantile lies between the two nearest values", () => {
  assert.deepStrictEqual(
    [0, 0.25, 0.5, 1].map((q) => Bench.quantile([9, 1, 3, 5], q)),
    [1, 2.5, 4, 9]
  )
})

it("what is deferred is done when a benchmark fails, the last first", async () => {
  const done: Array<string> = []
  let directory = ""
  const benchmark: Bench.Benchmark = {
    name: "fails",
    about: "",
    run: async ({ defer, directory: make }) => {
      directory = make()
      defer(() => done.push(`first, ${fs.existsSync(directory)}`))
      defer(() => done.push("last"))
      throw new Error("it fails")
    }
  }
  const failed = await Bench.carryOut(benchmark, stage).catch(String)
  assert.strictEqual(failed, "Error: it fails")
  assert.deepStrictEqual(done, ["last", "first, true"])
  assert.isFalse(fs.existsSync(directory))
})

it("the README has a place for figures, and nothing beside it is replaced", () => {
  const readme = fs.readFileSync(fileURLToPath(new URL("README.md", import.meta.url)), "utf8")
  const replaced = Report.replace(readme, "new figures")
  const [before = "", after = ""] = replaced.split("new figures")
  assert.isTrue(readme.startsWith(before.trimEnd()) && readme.endsWith(after.trimStart()))
  assert.match(before, /^# Figures$/m)
  assert.strictEqual(Report.replace(replaced, "new figures"), replaced)
  assert.throws(() => Report.replace(after, "new figures"))
})
