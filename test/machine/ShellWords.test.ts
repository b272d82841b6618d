import { assert, describe, it } from "@effect/vitest"
import * as ShellWords from "../../src/machine/core/ShellWords.ts"

const environment = { HOME: "/home/u", AT: "/w/fix/", NAME: "fix", EMPTY: "", ROOT: "/" }

describe("ShellWords.expanded", () => {
  const cases: ReadonlyArray<readonly [word: string, full: string | undefined]> = [
    ["cd ~/fix && make", "cd /home/u/fix && make"],
    ["--at=~/fix", "--at=/home/u/fix"],
    ['cd "$HOME/fix"', 'cd "/home/u/fix"'],
    ["cd ${HOME}/fix; cd $HOME/b", "cd /home/u/fix; cd /home/u/b"],
    ["make -C $AT/sub", "make -C /w/fix/sub"],
    ["cd $ROOT", "cd /"],
    ["cd a~/fix", undefined],
    ["cd ~", undefined],
    ["cd /w/$NAME", undefined],
    ["echo $EMPTY $UNSET $HOMER $1", undefined],
    ["cd /w/fix", undefined]
  ]
  for (const [word, full] of cases) {
    it(full === undefined ? `leaves ${word}` : `${word} is ${full}`, () =>
      assert.deepStrictEqual(ShellWords.expanded([word], environment), full === undefined ? [] : [full])
    )
  }

  it("is asked for only where the environment may tell more", () => {
    assert.isTrue(ShellWords.mayNameMore(["a", "cd ~/fix"]))
    assert.isTrue(ShellWords.mayNameMore(["${AT}"]))
    assert.isFalse(ShellWords.mayNameMore(["cd /w/fix", "100$", "a~/b"]))
  })
})

describe("ShellWords.unquoted", () => {
  const cases: ReadonlyArray<readonly [text: string, read: string]> = [
    ["cd '/w/it'\\''s'", "cd /w/it's"],
    ["cd /w/it\\'s", "cd /w/it's"],
    ['cd "/w/it\'s"', "cd /w/it's"],
    ['cd "/w/a\\"b\\x"', 'cd /w/a"b\\x'],
    ["cd '/w/a\\b'", "cd /w/a\\b"],
    ["it's", "it's"]
  ]
  for (const [text, read] of cases) it(`${text} is ${read}`, () => assert.strictEqual(ShellWords.unquoted(text), read))
})
