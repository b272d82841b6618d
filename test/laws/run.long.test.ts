import { execFileSync, spawnSync } from "node:child_process"
import { assert, describe, it } from "@effect/vitest"
import { Laws } from "../../src/testing/index.ts"

const program = `${import.meta.dirname}/run.ts`

const run = (...args: ReadonlyArray<string>) =>
  spawnSync(process.execPath, [program, ...args], { encoding: "utf8", timeout: 60_000 })

describe("npm run laws", () => {
  it("checks every law and sums up", () => {
    const { status, stdout } = run("--runs", "3", "--seed", "s", "--workers", "2")
    assert.strictEqual(status, 0, stdout)
    assert.match(stdout, /^holds {5}L1 no invented link +3 cases /)
    assert.match(
      stdout,
      new RegExp(`\n${3 * Laws.all.length} cases in \\d+ s with 2 workers, seed s: nothing refuted\n$`)
    )
  }, 60_000)

  it("feeds parsers", () => {
    const { status, stdout } = run("--parsers", "--runs", "10", "--only", "a link file,a path", "--json")
    assert.strictEqual(status, 0, stdout)
    const { cases, rows } = JSON.parse(stdout)
    assert.deepStrictEqual([cases, rows.length], [20, 2])
  }, 60_000)

  it("says that a case could not be drawn again", () => {
    const { status, stdout } = run("--only", "L1 no invented link", "--replay", '[1,"x",0,0,[],"PropertyError"]')
    assert.strictEqual(status, 1)
    assert.match(stdout, /^unchecked +L1 no invented link/)
    assert.match(stdout, /: nothing refuted; not checked: L1 no invented link\n/)
    assert.match(stdout, /not checked, the case of the replay token keeps the law now/)
    assert.match(run("--only", "L1 no invented link", "--replay", "x").stdout, /not checked, the replay token is none/)
  }, 60_000)

  it("refuses what it does not know", () => {
    for (const args of [
      ["--only", "L99"],
      ["--runs", "0"],
      ["--runs", "many"],
      ["--replay", "x"],
      ["--sed", "1"]
    ]) {
      const { status, stderr } = run(...args)
      assert.strictEqual(status, 2, args.join(" "))
      assert.notStrictEqual(stderr, "")
    }
    assert.match(execFileSync(process.execPath, [program, "--help"], { encoding: "utf8" }), /^usage: npm run laws/)
  }, 60_000)
})
