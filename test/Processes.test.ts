import { assert, describe, it } from "@effect/vitest"
import { Processes } from "../src/index.ts"

describe("Processes.pathsOf", () => {
  const cases: ReadonlyArray<readonly [args: ReadonlyArray<string>, paths: ReadonlyArray<string>]> = [
    [["/w/a"], ["/w/a"]],
    [
      ["--root=/w/a", "X=/w/b"],
      ["/w/a", "/w/b"]
    ],
    [["cd '/w/a' && rm /w/b;"], ["/w/a", "/w/b"]],
    [["/w/a b"], ["/w/a b", "/w/a"]],
    [["w/a", "", "a@/w/b"], ["/w/b"]],
    [["/w/a", "/w/a"], ["/w/a"]],
    [[`/${"a".repeat(4095)}`], [`/${"a".repeat(4095)}`]],
    [[`/${"a".repeat(4096)}`], []]
  ]
  for (const [args, paths] of cases) {
    it(JSON.stringify(args).slice(0, 40), () => {
      assert.deepStrictEqual(Processes.pathsOf(args), paths)
    })
  }
})
