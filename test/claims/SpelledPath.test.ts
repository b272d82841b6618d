import { assert, describe, it } from "@effect/vitest"
import * as SpelledPath from "../../src/claims/core/SpelledPath.ts"

const isNamed = (text: string, path: string, longer: ReadonlyArray<string> = [], loose = false): boolean =>
  SpelledPath.readings(text).some((reading) => SpelledPath.isIn(reading, { text: path, longer }, loose))

describe("SpelledPath, of an absolute path", () => {
  const cases: ReadonlyArray<readonly [text: string, path: string, is: boolean]> = [
    ["while sleep 9; do make -C '/w/my fix' test; done", "/w/my fix", true],
    ["make -C /w/my\\ fix test", "/w/my fix", true],
    ["make -C '/w/my fix'/sub", "/w/my fix", true],
    ["make -C '/w/it'\\''s' test", "/w/it's", true],
    ["make -C /w/it\\'s test", "/w/it's", true],
    ['ssh h "make -C \\"/w/my fix\\""', "/w/my fix", true],
    ["make -C '/w/its' test", "/w/it's", false],
    ["file:///w/my%20fix", "/w/my fix", true],
    ["cd /w/a,b && make", "/w/a,b", true],
    ["X=/w/a=b make", "/w/a=b", true],
    ["run /w/a:b/x", "/w/a:b", true],
    ["run '/w/a(b'", "/w/a(b", true],
    ["/w/fix", "/w/fix", true],
    ["/w/fix/src", "/w/fix", true],
    ["-C/w/fix", "/w/fix", true],
    ["--at=/w/fix", "/w/fix", true],
    ["/w/fix*", "/w/fix", true],
    ["see /w/fix. It", "/w/fix", true],
    ["caf\u0065\u0301 /w/e\u0301", "/w/\u00e9", true],
    ["/w/fix-login/server.js", "/w/fix", false],
    ["/w/fix_2", "/w/fix", false],
    ["/w/fix2", "/w/fix", false],
    ["/w/fix.old/x", "/w/fix", false],
    ["-Dpath/w/fix", "/w/fix", true],
    ['sh -c "make -C \\"/w/f\'i\'x\\""', "/w/fix", true],
    ["/home/w/fix", "/w/fix", false],
    ["sub//w/fix", "/w/fix", false],
    ["sub/w/fix", "/w/fix", false],
    ["/w/other", "/w/fix", false],
    ["/w/fix-a and /w/fix", "/w/fix", true],
    ["100%", "/w/fix", false]
  ]
  for (const [text, path, is] of cases) {
    it(`${text} ${is ? "names" : "does not name"} ${path}`, () => assert.strictEqual(isNamed(text, path), is))
  }

  it("is not named where a longer name that stands beside it fits", () => {
    assert.isFalse(isNamed("make -C '/w/my fix'", "/w/my", [" fix"]))
    assert.isTrue(isNamed("make -C '/w/my' fix", "/w/my", [" fix"]))
    assert.isTrue(isNamed("make -C '/w/my bug'", "/w/my", [" fix"]))
  })
})

describe("SpelledPath, of a relative path", () => {
  const cases: ReadonlyArray<readonly [text: string, path: string, loose: boolean, is: boolean]> = [
    ["../fix/server.js", "../fix", false, true],
    ["make -C '../my fix'", "../my fix", false, true],
    ["-C../fix", "../fix", false, true],
    ["./../fix", "../fix", false, true],
    ["../../fix", "../fix", false, false],
    ["x/../fix", "../fix", false, false],
    ["fix", "fix", false, true],
    ["./fix", "fix", false, true],
    ["fix/server.js", "fix", false, true],
    ["--cwd=fix", "fix", false, true],
    ["-Cfix", "fix", false, true],
    ["-Cfix/sub", "fix", false, true],
    ["-Cprefix", "fix", false, false],
    ["fix now", "fix", false, false],
    ["x -Cfix", "fix", false, false],
    ["-C a fix", "fix", false, false],
    ["./aw/fix", "w/fix", false, false],
    ["-Dpw/fix", "w/fix", false, true],
    ["make -Cxfix", "fix", true, false],
    ["make x-Cfix", "fix", true, false],
    ["make -Cfix test", "fix", true, true],
    ["mend the fix", "fix", false, false],
    ["prefix", "fix", false, false],
    ["make -C fix test", "fix", true, true],
    ["make -C a/fix test", "fix", true, false],
    ["make -C prefix test", "fix", true, false]
  ]
  for (const [text, path, loose, is] of cases) {
    it(`${text} ${is ? "names" : "does not name"} ${path}${loose ? ", in a script" : ""}`, () =>
      assert.strictEqual(isNamed(text, path, [], loose), is))
  }
})

describe("SpelledPath.relative", () => {
  const cases: ReadonlyArray<readonly [directory: string, path: string, relative: string | undefined]> = [
    ["/w/main", "/w/fix", "../fix"],
    ["/w", "/w/fix", "fix"],
    ["/", "/w/fix", "w/fix"],
    ["/w/main/sub", "/w/main/.claude/worktrees/a", "../.claude/worktrees/a"],
    ["/w/fix", "/w/fix", undefined],
    ["/w/fix/sub", "/w/fix", undefined]
  ]
  for (const [directory, path, relative] of cases) {
    it(`${path} from ${directory}`, () => assert.strictEqual(SpelledPath.relative(directory, path), relative))
  }
})
