import { assert, describe, it } from "@effect/vitest"
import { GitList } from "../../src/internal.ts"

const nul = (...pieces: ReadonlyArray<string>): string => pieces.map((piece) => `${piece}\0`).join("")

describe("GitList.items", () => {
  const cases: ReadonlyArray<readonly [text: string, items: ReadonlyArray<string> | undefined]> = [
    ["", []],
    ["a\0", ["a"]],
    ["a\0b c\0", ["a", "b c"]],
    ["a\nb\0", ["a\nb"]],
    ["a\0\0", ["a", ""]],
    ["\0", [""]],
    ["a", undefined],
    ["a\0b", undefined]
  ]
  for (const [text, items] of cases) {
    it(`${JSON.stringify(text)} ${items === undefined ? "is cut off" : `holds ${items.length}`}`, () =>
      assert.deepStrictEqual(GitList.items(text), items))
  }
})

describe("GitList.worktrees", () => {
  const head = "0123456789abcdef0123456789abcdef01234560"
  const record = (...lines: ReadonlyArray<string>): string => `${nul(...lines)}\0`
  const worktree = (given: Partial<GitList.Worktree>): GitList.Worktree => ({
    path: "/r",
    main: true,
    bare: false,
    head: undefined,
    branch: undefined,
    locked: undefined,
    ...given
  })

  const records: ReadonlyArray<readonly [name: string, lines: ReadonlyArray<string>, is: Partial<GitList.Worktree>]> = [
    ["on a branch", [`HEAD ${head}`, "branch refs/heads/a"], { head, branch: "refs/heads/a" }],
    ["detached", [`HEAD ${head}`, "detached"], { head }],
    ["on a branch without a commit", [`HEAD ${"0".repeat(40)}`, "branch refs/heads/a"], { branch: "refs/heads/a" }],
    ["without a commit, where ids are longer", [`HEAD ${"0".repeat(64)}`], {}],
    ["at a commit whose id begins with zeros", [`HEAD 00${head}`], { head: `00${head}` }],
    ["bare", ["bare"], { bare: true }],
    ["locked for no reason", ["locked"], { locked: "" }],
    ["locked for a reason", ["locked in use, by me"], { locked: "in use, by me" }],
    ["with what a later git may tell", ["barely a", "lockedness", "prunable gone"], {}]
  ]
  for (const [name, lines, is] of records) {
    it(`tells of one ${name}`, () =>
      assert.deepStrictEqual(GitList.worktrees(record("worktree /r", ...lines)), [worktree(is)]))
  }

  it("takes the first for the main one, and leaves a path as it is", () =>
    assert.deepStrictEqual(
      GitList.worktrees(record("worktree /r", "bare") + record("worktree /w/a\n b") + record("worktree /w/c")),
      [worktree({ bare: true }), worktree({ path: "/w/a\n b", main: false }), worktree({ path: "/w/c", main: false })]
    ))

  const others: ReadonlyArray<readonly [name: string, text: string]> = [
    ["nothing at all, for the main one is always there", ""],
    ["a record that is cut off", "worktree /r\0"],
    ["a second record that is cut off", `${record("worktree /r")}worktree /w/a\0`],
    ["a record without a path", record("bare")],
    ["a path that is not absolute", record("worktree r")],
    ["one record of several without a path", record("worktree /r") + record("bare") + record("worktree /w/a")]
  ]
  for (const [name, text] of others) {
    it(`does not read ${name}`, () => assert.isUndefined(GitList.worktrees(text)))
  }
})

describe("GitList.status", () => {
  const cases: ReadonlyArray<readonly [name: string, entries: ReadonlyArray<string>, status: GitList.Status]> = [
    ["of a clean tree", [], { dirty: [], ignored: [] }],
    [
      "of what was changed, added or is in conflict",
      [" M a", "A  b", "UU c", "D  d", " T e"],
      { dirty: [" M a", "A  b", "UU c", "D  d", " T e"], ignored: [] }
    ],
    ["of what is not tracked", ["?? a b", "?? c\nd"], { dirty: ["?? a b", "?? c\nd"], ignored: [] }],
    ["of what is ignored, by its path", ["!! a", "!! b/"], { dirty: [], ignored: ["a", "b/"] }],
    ["of both", ["?? a", "!! b", " M c"], { dirty: ["?? a", " M c"], ignored: ["b"] }],
    ["of paths that look like codes", ["?? !! ", "!! !! ", " M R "], { dirty: ["?? !! ", " M R "], ignored: ["!! "] }],
    [
      "of what was renamed or copied, with the path that it had as part of it",
      ["R  a", "!! old", "C  b", "old", " R c", "?? old", "RM d", "x", "!! e"],
      { dirty: ["R  a", "C  b", " R c", "RM d"], ignored: ["e"] }
    ]
  ]
  for (const [name, entries, status] of cases) {
    it(`tells ${name}`, () => assert.deepStrictEqual(GitList.status(nul(...entries)), status))
  }

  const others: ReadonlyArray<readonly [name: string, text: string]> = [
    ["an entry that is cut off", "?? a\0?? b"],
    ["an entry without a path", nul("?? ")],
    ["a rename that is cut off", nul("?? a", "R  b")],
    ["an empty entry", nul("")],
    ["a code of one letter", nul("M a")],
    ["a code that git does not have", nul("?? a", "XY b")],
    ["a path that holds an entry", nul("a ?? b")]
  ]
  for (const [name, text] of others) {
    it(`does not read ${name}`, () => assert.isUndefined(GitList.status(text)))
  }
})

describe("GitList.untracked", () => {
  it("is the untracked paths among the dirty entries", () => {
    assert.deepStrictEqual(GitList.untracked(["?? a", " M b?? ", "R  ?? \0?? x", "?? c d/"]), ["a", "c d/"])
  })
})

describe("GitList.tracked", () => {
  const hash = "0123456789abcdef0123456789abcdef01234567"
  const file = (flag: string, name: string, mode = "100644", stage = 0) => `${flag} ${mode} ${hash} ${stage}\t${name}`

  const cases: ReadonlyArray<readonly [name: string, entries: ReadonlyArray<string>, tracked: GitList.Tracked]> = [
    ["of no file", [], { flagged: [], submodules: [] }],
    [
      "of files without a flag",
      [file("H", "a"), file("H", "b", "120000"), file("M", "c", "100755", 2), file("R", "d")],
      { flagged: [], submodules: [] }
    ],
    [
      "which are assume-unchanged, skip-worktree or both",
      [file("h", "a"), file("S", "b c"), file("s", "d\te\nf"), file("H", "g")],
      {
        flagged: [
          { path: "a", flag: "assume-unchanged" },
          { path: "b c", flag: "skip-worktree" },
          { path: "d\te\nf", flag: "assume-unchanged" },
          { path: "d\te\nf", flag: "skip-worktree" }
        ],
        submodules: []
      }
    ],
    [
      "which are submodules, flagged or not",
      [file("H", "lib/a", "160000"), file("h", "lib/b", "160000"), file("H", "160000")],
      { flagged: [{ path: "lib/b", flag: "assume-unchanged" }], submodules: ["lib/a", "lib/b"] }
    ]
  ]
  for (const [name, entries, tracked] of cases) {
    it(`tells ${name}`, () => assert.deepStrictEqual(GitList.tracked(nul(...entries)), tracked))
  }

  const others: ReadonlyArray<readonly [name: string, text: string]> = [
    ["an entry that is cut off", file("H", "a")],
    ["an entry without a flag", nul(file("H", "a"), file("H", "b").slice(2))],
    ["a flag of two letters", nul(file("HH", "a"))],
    ["an entry without a name", nul(file("H", ""))],
    ["a mode that is no number of six digits", nul(file("H", "a", "10064"))],
    ["a stage that git does not have", nul(file("H", "a", "100644", 4))]
  ]
  for (const [name, text] of others) {
    it(`does not read ${name}`, () => assert.isUndefined(GitList.tracked(text)))
  }
})

describe("GitList.disarming", () => {
  const filter = (driver: string): ReadonlyArray<string> =>
    ["clean=", "smudge=", "process=", "required=false"].flatMap((option) => ["-c", `filter.${driver}.${option}`])
  const hook = (name: string): ReadonlyArray<string> =>
    ["enabled=false", "command=", "event="].flatMap((option) => ["-c", `hook.${name}.${option}`])

  const cases: ReadonlyArray<readonly [name: string, names: ReadonlyArray<string>, options: ReadonlyArray<string>]> = [
    ["nothing where nothing is listed", [], []],
    ["a filter, whatever is set of it", ["filter.lfs.required"], filter("lfs")],
    ["a filter once, however much is set of it", ["filter.lfs.clean", "filter.lfs.smudge"], filter("lfs")],
    ["a hook", ["hook.lint.command", "hook.lint.event"], hook("lint")],
    ["a hook that is called like a filter", ["hook.filter.event"], hook("filter")],
    ["one of a name of one letter", ["filter.x.clean"], filter("x")],
    ["one of a name with dots, which is cut at the last", ["filter.a.b.clean"], filter("a.b")],
    ["one of no name", ["filter..clean"], filter("")],
    ["one of a name of several words", ["hook.a b\nc.event"], hook("a b\nc")],
    [
      "all of them, in the same order however they are listed",
      ["hook.b.event", "filter.b.clean", "hook.a.event", "filter.a.clean"],
      [...filter("a"), ...filter("b"), ...hook("a"), ...hook("b")]
    ],
    [
      "nothing of another section, or of none of a name",
      ["core.filter.a.clean", "myfilter.a.clean", "filter.clean", "hook.event"],
      []
    ]
  ]
  for (const [name, names, options] of cases) {
    it(`disarms ${name}`, () => assert.deepStrictEqual(GitList.disarming(nul(...names)), options))
  }

  it("cannot spell a name with = in it, be it one of several", () =>
    assert.isUndefined(GitList.disarming(nul("filter.a.clean", "filter.b=c.clean", "hook.d.event"))))
})
