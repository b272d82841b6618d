import { assert, describe, it } from "@effect/vitest"
import { HeadLog } from "../../src/internal.ts"

const [a, b, zero] = ["a".repeat(40), "b".repeat(40), "0".repeat(40)]
const made = `${zero} ${a} somebody <s@example.org> 1000 +0000\n`
const line = (from: string, to: string, message: string, seconds = 2000) =>
  `${from} ${to} somebody <s@example.org> ${seconds} -0130\t${message}\n`

describe("HeadLog.parse", () => {
  it("tells when the last entry was made, and at what commit the worktree", () => {
    assert.deepStrictEqual(HeadLog.parse(made), { lastAt: 1_000_000, madeAt: a, commits: false })
    assert.deepStrictEqual(HeadLog.parse(line(a, b, "commit: x")), {
      lastAt: 2_000_000,
      madeAt: undefined,
      commits: true
    })
    for (const from of [`${"0".repeat(39)}1`, `1${"0".repeat(39)}`]) {
      assert.isUndefined(HeadLog.parse(line(from, b, "commit: x")).madeAt)
    }
    assert.deepStrictEqual(HeadLog.parse(""), { lastAt: undefined, madeAt: undefined, commits: false })
  })

  it("takes the newest entry for the last, whatever date was given to the one after it", () => {
    assert.strictEqual(HeadLog.parse(line(a, b, "commit: x", 3000) + line(b, a, "commit: y")).lastAt, 3_000_000)
  })

  it("passes over a line before the last that is no entry", () => {
    assert.deepStrictEqual(HeadLog.parse(`rubbish\n${made}`), { lastAt: 1_000_000, madeAt: undefined, commits: false })
  })

  it("says so where the last line is no entry", () => {
    for (const text of ["rubbish", `${a} ${b} s <s> 12\n`, `${made}half a li`, `x${made}`, `${made.trimEnd()} x\n`]) {
      assert.strictEqual(HeadLog.parse(text).lastAt, "NoEntry", text)
    }
  })

  const cases: ReadonlyArray<readonly [message: string, commits: boolean]> = [
    ["commit: x", true],
    ["commit (amend): x", true],
    ["commit (initial): x", true],
    ["commit (merge): Merge branch 'main'", true],
    ["cherry-pick: x", true],
    ["revert: Revert x", true],
    ["am: x", true],
    ["merge main: Merge made by the 'ort' strategy.", true],
    ["pull origin main: Merge made by the 'ort' strategy.", true],
    ["rebase (pick): x", true],
    ["rebase -i (squash): x", true],
    ["merge main: Fast-forward", false],
    ["pull: Fast-forward", false],
    ["rebase (start): checkout main", false],
    ["rebase (finish): returning to refs/heads/x", false],
    ["checkout: moving from a to b", false],
    ["reset: moving to HEAD", false],
    ["branch: Created from main", false],
    ["checkout: moving from a to commit", false]
  ]
  for (const [message, commits] of cases) {
    it(`${message} ${commits ? "is" : "is not"} a commit`, () => {
      assert.strictEqual(HeadLog.parse(made + line(a, b, message)).commits, commits)
    })
  }

  it("takes what changed nothing for no commit", () => {
    assert.isFalse(HeadLog.parse(made + line(a, a, "commit: x")).commits)
  })
})
