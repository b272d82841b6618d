import { assert, describe, it } from "@effect/vitest"
import { Branches } from "../../src/internal.ts"

const object = "a".repeat(40)
const ref = (name: string, more: Partial<Branches.Ref> = {}): Branches.Ref => ({
  name,
  object,
  symref: undefined,
  upstream: undefined,
  ...more
})
const named = (refs: ReadonlyArray<Branches.Ref>, naming?: Branches.Naming) =>
  Branches.defaults(refs, naming).map(({ name }) => name)

const [main, master, trunk] = ["refs/heads/main", "refs/heads/master", "refs/heads/trunk"] as const
const originHead = (branch: string) => ref("refs/remotes/origin/HEAD", { symref: `refs/remotes/origin/${branch}` })

describe("Branches.parse", () => {
  it("reads object, name, what a symbolic ref leads to, and upstream", () => {
    assert.deepStrictEqual(
      Branches.parse(
        `${object} ${main}  refs/remotes/origin/main\n${object} refs/remotes/origin/HEAD refs/remotes/origin/main \n`
      ),
      [ref(main, { upstream: "refs/remotes/origin/main" }), originHead("main")]
    )
    assert.deepStrictEqual(Branches.parse(""), [])
  })

  it("gives nothing of a list of which a part has another shape", () => {
    for (const line of [
      "rubbish",
      `${object} main  `,
      `${object} ${main}`,
      `x ${main}  `,
      `${object}x ${main}  `,
      `x${object} ${main}  `,
      `${object.slice(1)} ${main}  `,
      `${object} ${main}   more`
    ]) {
      assert.isUndefined(Branches.parse(`${object} ${main}  \n${line}\n`), line)
    }
  })
})

describe("Branches.defaults", () => {
  const cases: ReadonlyArray<
    readonly [
      name: string,
      refs: ReadonlyArray<Branches.Ref>,
      naming: Branches.Naming | undefined,
      expected: ReadonlyArray<string>
    ]
  > = [
    ["what a person says, however it is spelled", [ref(main), ref(trunk)], { base: "trunk" }, [trunk]],
    [
      "of what a person says the first",
      [ref("refs/heads/origin/next"), ref("refs/remotes/origin/next")],
      { base: "origin/next" },
      ["refs/heads/origin/next"]
    ],
    ["what a person says and is not there: none", [ref(main)], { base: "trunk" }, []],
    [
      "a branch of a remote that a person says",
      [ref(main), ref("refs/remotes/origin/next")],
      { base: "origin/next" },
      ["refs/remotes/origin/next"]
    ],
    [
      "what the remote's HEAD names, and the local branch of that name",
      [ref(main), ref(trunk), originHead("trunk"), ref("refs/remotes/origin/trunk")],
      undefined,
      ["refs/remotes/origin/trunk", trunk]
    ],
    [
      "upstream before origin",
      [
        ref(main),
        ref(master),
        originHead("main"),
        ref("refs/remotes/origin/main"),
        ref("refs/remotes/upstream/HEAD", { symref: "refs/remotes/upstream/master" }),
        ref("refs/remotes/upstream/master")
      ],
      undefined,
      ["refs/remotes/upstream/master", master]
    ],
    [
      "the remote that the local default branch tracks before origin",
      [
        ref(main, { upstream: "refs/remotes/fork/main" }),
        originHead("trunk"),
        ref("refs/remotes/origin/trunk"),
        ref("refs/remotes/fork/HEAD", { symref: "refs/remotes/fork/main" }),
        ref("refs/remotes/fork/main")
      ],
      undefined,
      ["refs/remotes/fork/main", main]
    ],
    [
      "origin where the local default branch tracks another local one, whatever that is named",
      [
        ref(main, { upstream: "refs/heads/refs/remotes/fork/main" }),
        originHead("main"),
        ref("refs/remotes/origin/main"),
        ref("refs/remotes/fork/main")
      ],
      undefined,
      ["refs/remotes/origin/main", main]
    ],
    [
      "where the remote has no HEAD, its branch of the local one's name too",
      [
        ref(main),
        ref("refs/remotes/origin/main"),
        ref("refs/remotes/upstream/main"),
        ref("refs/remotes/upstream/next")
      ],
      undefined,
      ["refs/remotes/upstream/main", main]
    ],
    [
      "where a bare repository has branches of a remote, that of its HEAD's name too",
      [ref(main), ref(trunk), ref("refs/remotes/origin/main"), ref("refs/remotes/origin/trunk")],
      { bareHead: trunk },
      ["refs/remotes/origin/trunk", trunk]
    ],
    ["the local one where a remote's HEAD leads nowhere", [ref(main), originHead("gone")], undefined, [main]],
    ["a bare repository's HEAD", [ref(main), ref(trunk)], { bareHead: trunk }, [trunk]],
    [
      "init.defaultBranch, main, master: the first",
      [ref(main), ref(master), ref(trunk)],
      { initial: "trunk" },
      [trunk]
    ],
    ["main before master", [ref(master), ref(main)], undefined, [main]],
    ["master", [ref(master), ref("refs/heads/topic")], undefined, [master]],
    ["none", [ref("refs/heads/topic")], undefined, []]
  ]
  for (const [name, refs, naming, expected] of cases) {
    it(name, () => assert.deepStrictEqual(named(refs, naming), expected))
  }
})

describe("Branches.isLongLived", () => {
  it("knows the names that people keep, the default branches and what a person adds", () => {
    const kept = (branch: string, ...names: ReadonlyArray<string>) =>
      Branches.isLongLived(`refs/heads/${branch}`, [ref("refs/remotes/origin/mainline"), ref(trunk)], names)
    for (const branch of ["main", "develop", "gh-pages", "release/1", "release/1/x", "mainline"]) {
      assert.isTrue(kept(branch), branch)
    }
    for (const branch of ["topic", "main2", "x/main", "release", "releases/1"]) assert.isFalse(kept(branch), branch)
    assert.isTrue(kept("topic", "topic"))
    assert.isTrue(kept("topic", "refs/heads/topic"))
    assert.isTrue(kept("demo/x", "demo/*"))
    assert.isFalse(kept("demo", "demo/*"))
    assert.isFalse(kept("a/b", "a/refs/heads/b"))
    assert.isFalse(Branches.isLongLived(undefined, []))
  })
})
