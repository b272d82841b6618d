import { assert, describe, it } from "@effect/vitest"
import * as Table from "../../src/cli/Table.ts"

const columns: ReadonlyArray<Table.Column> = [
  { title: "" },
  { title: "from", cut: "start", share: 0.4 },
  { title: "branch", share: 0.2, spare: true },
  { title: "size" },
  { title: "why" }
]

const rows = [
  [
    "keep",
    "../a/long/path/機能-検索の結果を速くする",
    "a-branch-of-a-long-name",
    "16.0 KiB",
    "a reason that is long ".repeat(9)
  ],
  ["go", "b", "b", "1 B", "every gate permits"]
]

describe("a table", () => {
  it("is no wider than the terminal, however narrow that is within reason", () => {
    for (let width = 50; width <= 220; width++) {
      for (const line of Table.lines(columns, rows, width)) assert.isAtMost(Table.width(line), width)
    }
  })

  it("cuts nothing where no terminal shows it, and a column is left out only where there is little room", () => {
    assert.include(Table.lines(columns, rows, undefined).join("\n"), rows[0]?.join("  ").trimEnd() ?? "")
    const isThere = (width: number) => Table.lines(columns, rows, width)[0]?.includes("branch")
    assert.deepStrictEqual([isThere(119), isThere(120)], [false, true])
  })

  it("cuts a path at its start, and a reason at its end", () => {
    const [, first = ""] = Table.lines(columns, rows, 80)
    assert.match(first, /^keep {2}….*くする +16\.0 KiB {2}a reason .*…$/u)
  })
})
