import { assert, describe, it } from "@effect/vitest"
import * as PathUses from "../../src/machine/core/PathUses.ts"
import type { Processes } from "../../src/internal.ts"
import { processOf } from "./processOf.ts"

/** As process 7 sees it: each of `pairs` is a pid and its parent. */
const tree = (...pairs: ReadonlyArray<readonly [pid: number, parent: number]>): Processes.ProcessList => ({
  self: { pid: 7, user: 1000 },
  bootedAt: 0,
  processes: pairs.map(([pid, parent]) => processOf({ pid, parent }))
})

/** 1 started 5, which started the shell 6, which started the asking process 7, which started 8; beside them servers. */
const list: Processes.ProcessList = {
  ...tree(),
  processes: [
    processOf({ pid: 1, parent: 0, executable: "/sbin/init", args: ["init", "/w/a"] }),
    processOf({ pid: 5, parent: 1, executable: "/usr/bin/vim", args: ["vim", "/w/a", "/w/b"] }),
    processOf({ pid: 6, parent: 5, executable: "/bin/bash", args: ["bash", "/w/a"] }),
    processOf({ pid: 7, parent: 6, executable: "/usr/bin/node", args: ["node", "/cli.js", "/w/b"] }),
    processOf({ pid: 8, parent: 7, args: ["git", "-C", "/w/a"] }),
    processOf({ pid: 20, parent: 1, name: "tmux: server", args: ["tmux", "new", "-c", "/w/a"] }),
    processOf({ pid: 21, parent: 20, args: ["make", "-C", "/w/a"] })
  ]
}

const argsOf = (given: Processes.ProcessList, heard: ReadonlyArray<number> = []) =>
  Object.fromEntries(PathUses.counting(given, new Set(heard)).processes.map(({ pid, args }) => [pid, args]))

describe("PathUses.counting", () => {
  it("leaves out what the asking process started, and its own words and those of the shells above it", () =>
    assert.deepStrictEqual(argsOf(list), {
      1: ["init", "/w/a"],
      5: ["vim", "/w/a", ""],
      6: [],
      7: [],
      20: ["tmux", "new", "-c", "/w/a"],
      21: ["make", "-C", "/w/a"]
    }))

  it("leaves out the command line of a server that was heard, and not that of another process of its pid", () => {
    const args = argsOf(list, [20, 21])
    assert.deepStrictEqual([args[20], args[21]], [[], ["make", "-C", "/w/a"]])
  })

  it("leaves out git's own file watcher, and nothing that is only called so", () => {
    const args = ["git", "fsmonitor--daemon", "run"]
    const processes = [
      processOf({ pid: 30, parent: 1, executable: "/usr/bin/git", args }),
      processOf({ pid: 31, parent: 1, executable: "/usr/bin/python3", args }),
      processOf({ pid: 32, parent: 1, executable: "/usr/bin/git", args: ["git", "gc", "fsmonitor--daemon"] })
    ]
    const pids = Object.keys(argsOf({ ...list, processes: [...list.processes, ...processes] })).map(Number)
    assert.deepStrictEqual(
      pids.filter((pid) => pid >= 30),
      [31, 32]
    )
  })

  it("counts a shell above an editor", () => {
    const above = processOf({ pid: 4, parent: 1, executable: "/bin/sh", args: ["sh", "/w/c"] })
    const processes = [above, ...list.processes.map((each) => (each.pid === 5 ? { ...each, parent: 4 } : each))]
    assert.deepStrictEqual(argsOf({ ...list, processes })[4], ["sh", "/w/c"])
  })

  const words: ReadonlyArray<readonly [arg: string, rest: string]> = [
    ["/w/b", ""],
    ["check '/w/b'; true", "check ''; true"],
    ["/w/b/c", "/w/b/c"],
    ["--at=/w/b", "--at=/w/b"]
  ]
  for (const [arg, rest] of words) {
    it(`passes over our own words alone: ${arg}`, () => {
      const processes = list.processes.map((each) => (each.pid === 5 ? { ...each, args: [arg] } : each))
      assert.deepStrictEqual(argsOf({ ...list, processes })[5], [rest])
    })
  }

  it("leaves out nothing that another process started when it gets every orphan", () => {
    const all = argsOf({ ...list, self: { pid: 1, user: 0 } })
    assert.sameMembers(Object.keys(all).map(Number), [1, 5, 6, 7, 8, 20, 21])
  })
})

describe("PathUses.counts", () => {
  const cases: ReadonlyArray<readonly [name: string, pid: number, kind: PathUses.PathUse["kind"], counts: boolean]> = [
    ["the working directory of the asking process does", 7, "working directory", true],
    ["a working directory of what started it does", 5, "working directory", true],
    ["a working directory of a server that was heard does not", 20, "working directory", false],
    ["a command line of a server that was heard does not", 20, "command line", false],
    ["a command line of a shell above it does not", 6, "command line", false],
    ["a command line of an editor above it does", 5, "command line", true],
    ["a root of a server that was heard does", 20, "root", true],
    ["a working directory of no server does, though its pid was heard elsewhere", 21, "working directory", true]
  ]
  for (const [name, pid, kind, counts] of cases) {
    it(name, () => assert.strictEqual(PathUses.counts(list, new Set([20, 21]))({ pid, kind, path: "/w/a" }), counts))
  }

  it("a working directory of a server that was not heard does", () =>
    assert.isTrue(PathUses.counts(list, new Set())({ pid: 20, kind: "working directory", path: "/w/a" })))
})

describe("PathUses.pathsOf", () => {
  const cases: ReadonlyArray<readonly [args: ReadonlyArray<string>, paths: ReadonlyArray<string>]> = [
    [["/w/a"], ["/w/a"]],
    [
      ["--root=/w/a", "--x=/w/b"],
      ["/w/a", "/w/b"]
    ],
    [
      ["-c", "cd '/w/a' && rm /w/b;"],
      ["/w/a", "/w/b"]
    ],
    [["/w/a b"], ["/w/a b", "/w/a"]],
    [["--root=/w/a b"], ["/w/a b", "/w/a"]],
    [["/w/a=b"], ["/w/a=b", "/w/a"]],
    [["a@/w/b"], ["/w/b"]],
    [["/w/a", "/w/a"], ["/w/a"]],
    [["", "--flag", "-v"], []],
    [[`/${"a".repeat(4095)}`], [`/${"a".repeat(4095)}`]],
    [[`/${"a".repeat(4096)}`], []]
  ]
  for (const [args, paths] of cases) {
    it(JSON.stringify(args).slice(0, 40), () => {
      const found = PathUses.pathsOf(args, "/d").flatMap(({ path }) => (path.startsWith("/d/") ? [] : [path]))
      assert.deepStrictEqual(found, paths)
    })
  }

  const whole: ReadonlyArray<readonly [args: ReadonlyArray<string>, named: ReadonlyArray<PathUses.NamedPath>]> = [
    [["--root=/w/a"], [{ path: "/w/a" }]],
    [["--type=renderer"], []],
    [["--x=", ""], []],
    [["fix", "fix"], [{ path: "/d/fix" }]],
    [["a-"], [{ path: "/d/a-" }]],
    [["a=b"], [{ path: "/d/a=b" }]],
    [["a=.b"], [{ path: "/d/a=.b" }, { path: "/d/.b" }]],
    [["a=b."], [{ path: "/d/a=b." }]],
    [["/w/a b"], [{ path: "/w/a b" }, { path: "/w/a", followedBy: " b" }]],
    [
      [`/w/a ${"b".repeat(300)}`],
      [{ path: `/w/a ${"b".repeat(300)}` }, { path: "/w/a", followedBy: ` ${"b".repeat(254)}` }]
    ],
    [
      ["'/w/a' '/w/a x'"],
      [{ path: "/d/'/w/a' '/w/a x'" }, { path: "/w/a", followedBy: "' '/w/a x'" }, { path: "/w/a", followedBy: " x'" }]
    ]
  ]
  for (const [args, named] of whole) {
    it(`names no more than that in ${args.join(" ").slice(0, 40)}`, () =>
      assert.deepStrictEqual(PathUses.pathsOf(args, "/d"), named))
  }

  const relative: ReadonlyArray<readonly [args: ReadonlyArray<string>, paths: ReadonlyArray<string>]> = [
    [["../fix/server.js"], ["/d/../fix/server.js"]],
    [["fix"], ["/d/fix"]],
    [["--cwd=../fix"], ["/d/../fix"]],
    [["--cwd=."], ["/d/."]],
    [["--type=renderer"], []],
    [["-c", "make -C ../fix test"], ["/d/../fix"]],
    [["--url=https://host/fix"], []]
  ]
  for (const [args, paths] of relative) {
    it(`${args.join(" ")}, from /d`, () =>
      assert.includeMembers(
        PathUses.pathsOf(args, "/d").map(({ path }) => path),
        [...paths]
      ))
    it(`${args.join(" ")}, from an unknown directory`, () =>
      assert.deepStrictEqual(
        PathUses.pathsOf(args, undefined).filter(({ path }) => !path.includes("host")),
        []
      ))
  }
})
