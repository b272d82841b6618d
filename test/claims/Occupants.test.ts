import { assert, describe, it } from "@effect/vitest"
import type { Processes } from "../../src/internal.ts"
import * as Occupants from "../../src/claims/core/Occupants.ts"
import * as Place from "../../src/claims/core/Place.ts"
import type * as PathUses from "../../src/machine/core/PathUses.ts"
import { processOf } from "../machine/processOf.ts"

/** `inodes`: of the root of the file system and of each segment; none are numbered without them. */
const place = (path: string, ...inodes: ReadonlyArray<number>): Place.Place =>
  Place.resolved(path, [
    {
      segments: Place.segmentsOf(path) ?? [],
      identities: inodes.map((inode) => ({ device: 1n, inode: BigInt(inode) }))
    }
  ])

const use = (pid: number, kind: PathUses.PathUse["kind"], path: string, followedBy?: string): PathUses.PathUse => ({
  pid,
  kind,
  path,
  followedBy
})

const gathered = (
  uses: ReadonlyArray<PathUses.PathUse>,
  processes: ReadonlyArray<Partial<Processes.Process>> = [],
  placeOf: (path: string) => Place.Place = place
): Occupants.Gathered =>
  Occupants.arrange(
    { self: { pid: 1, user: 1000 }, bootedAt: null, processes: processes.map(processOf) },
    uses,
    [...Map.groupBy(uses, ({ path }) => path)].map(([path, uses]) => ({ place: placeOf(path), uses })),
    { inodes: [], exactDevices: new Set() }
  )

const howOf = (occupants: ReadonlyArray<Occupants.Occupant>) => occupants.map(({ pid, how }) => `${pid} ${how}`)

describe("Occupants.byPath", () => {
  const candidate = place("/w/my", 2, 3, 4)
  const found = (uses: ReadonlyArray<PathUses.PathUse>, longer: ReadonlyArray<string> = [], placeOf = place) =>
    howOf(Occupants.byPath(gathered(uses, [], placeOf), [candidate], longer))

  const cases: ReadonlyArray<readonly [path: string, is: boolean]> = [
    ["/w/my", true],
    ["/w/my/src/a", true],
    ["/w", false],
    ["/w/my2", false],
    ["/w/other/my", false]
  ]
  for (const [path, is] of cases) {
    it(`${is ? "finds" : "does not find"} a use of ${path}`, () =>
      assert.deepStrictEqual(found([use(7, "open file", path)]), is ? [`7 open file ${path}`] : []))
  }

  it("finds a use of what is the same directory under another name", () => {
    const elsewhere = () => place("/mnt/x/a", 2, 9, 4, 5)
    assert.deepStrictEqual(found([use(7, "open file", "/mnt/x/a")], [], elsewhere), ["7 open file /mnt/x/a"])
  })

  it("finds a use of a path that cannot be resolved, by its text", () => {
    const nowhere = (path: string) => Place.Unresolvable({ path, why: "no permission" })
    assert.deepStrictEqual(found([use(7, "open file", "/w/my/a")], [], nowhere), ["7 open file /w/my/a"])
    assert.deepStrictEqual(found([use(7, "open file", "/w/other")], [], nowhere), [])
  })

  it("finds it at each of the candidate's places, and nothing at one that cannot be resolved", () => {
    const uses = gathered([use(7, "root", "/w/my"), use(8, "root", "/v/link/x")])
    const places = [candidate, place("/v/link"), Place.Unresolvable({ path: "/w/my", why: "no permission" })]
    assert.deepStrictEqual(howOf(Occupants.byPath(uses, places, [])), ["7 root /w/my", "8 root /v/link/x"])
    assert.deepStrictEqual(Occupants.byPath(uses, places.slice(2), []), [])
  })

  it("leaves out a path that was cut where the longer name of a neighbour goes on", () => {
    const named = (path: string, followedBy?: string) => [use(7, "command line", path, followedBy)]
    assert.deepStrictEqual(found(named("/w/my", " fix/a"), [" other", " fix"]), [])
    assert.lengthOf(found(named("/w/my", " fix/a"), []), 1)
    assert.lengthOf(found(named("/w/my", " and fix"), [" fix"]), 1)
    assert.lengthOf(found(named("/w/my"), [" fix"]), 1)
    assert.lengthOf(found(named("/w/my/a", " fix"), [" fix"]), 1, "what is in it goes on, and not its own name")
    assert.lengthOf(
      found(named("/w/my", " fix/a"), [" fix"], (path) => Place.Unresolvable({ path, why: "" })),
      1
    )
    const unnumbered = gathered(named("/w/my/a", " fix"))
    assert.lengthOf(
      Occupants.byPath(unnumbered, [place("/w/my")], [" fix"]),
      1,
      "nor is it the same for want of numbers"
    )
  })

  it("tells the plainest use of each process first, and a mount last", () => {
    const inOrder = [
      use(6, "registry entry", "/w/my"),
      use(7, "working directory", "/w/my/b"),
      use(7, "root", "/w/my"),
      use(7, "executable", "/w/my"),
      use(7, "open file", "/w/my/a"),
      use(7, "open file", "/w/my/c"),
      use(7, "mapped file", "/w/my"),
      use(7, "registry entry", "/w/my"),
      use(7, "command line", "/w/my"),
      use(8, "root", "/w/my"),
      use(5, "mount", "/w/my"),
      use(6, "mount", "/w/my")
    ]
    const expected = inOrder.map(({ pid, kind, path }) => `${pid} ${kind} ${path}`)
    assert.deepStrictEqual(found(inOrder), expected)
    assert.deepStrictEqual(found(inOrder.toReversed()), expected)
  })

  it("names the program, where the process is listed", () => {
    const uses = [use(7, "root", "/w/my"), use(8, "root", "/w/my")]
    const programs = Occupants.byPath(gathered(uses, [{ pid: 8, executable: "/bin/vim" }]), [candidate], [])
    assert.deepStrictEqual(
      programs.map(({ program }) => program),
      ["a process", "vim"]
    )
  })
})

describe("Occupants.byWords", () => {
  const places = [place("/w/my"), Place.Unresolvable({ path: "/w/else", why: "no permission" })]
  const found = (args: ReadonlyArray<string>, longer: ReadonlyArray<string> = [], directory?: string) => {
    const uses =
      directory === undefined
        ? []
        : [
            use(7, "open file", "/else"),
            use(7, "working directory", directory),
            use(7, "working directory", "/a/thread/of/it"),
            use(6, "working directory", "/w")
          ]
    const all = gathered(uses, [
      { pid: 6, args: ["sleep", "9"] },
      { pid: 7, args }
    ])
    const occupants = howOf(Occupants.byWords(all, places, longer))
    if (occupants.length > 0) assert.isTrue(Occupants.mayBeNamed(all, places), args.join(" "))
    return occupants
  }
  const named = ["7 command line /w/my"]

  it("finds the path in full, and as it is seen from where the process stands", () => {
    assert.deepStrictEqual(found(["sh", "-c", "cd /w/my && make"]), named)
    assert.deepStrictEqual(found(["vim", "../my/a"], [], "/w/other"), named)
    assert.deepStrictEqual(found(["vim", "my/a"], [], "/w"), named)
    assert.deepStrictEqual(found(["vim", "../my/a"]), [])
    assert.deepStrictEqual(found(["vim", "a"], [], "/w/my"), [])
    assert.deepStrictEqual(found(["vim", "/w/else"]), [])
    assert.deepStrictEqual(found(["vim", "/"]), [])
  })

  it("does not find it where the longer name of a neighbour stands", () => {
    assert.deepStrictEqual(found(["vim", "/w/my fix"], [" fix"]), [])
    assert.deepStrictEqual(found(["vim", "/w/my fix"], [" other"]), named)
  })

  it("need not be asked where nobody says its name", () => {
    const lines = (...args: ReadonlyArray<string>) => gathered([], [{ args: ["sleep"] }, { args }])
    assert.isTrue(Occupants.mayBeNamed(lines("my-other"), places))
    assert.isTrue(Occupants.mayBeNamed(lines("my"), [place("/v/none"), ...places]))
    assert.isFalse(Occupants.mayBeNamed(lines("w/other"), places))
    assert.isFalse(Occupants.mayBeNamed(lines("my"), []))
  })
})

describe("Occupants.spellingsOf", () => {
  it("is each spelling in full, once, and neither a number nor the root", () => {
    const places = [
      place("/w/my", 2, 3, 4),
      place("/w/my"),
      place("/v/b/"),
      place("/w/new", 2, 3),
      place("/"),
      Place.Unresolvable({ path: "/x", why: "no permission" })
    ]
    assert.deepStrictEqual(Occupants.spellingsOf(places), ["/w/my", "/v/b", "/w/new"])
  })
})

describe("Occupants.longerThan", () => {
  it("is what names beside it have more than its own", () => {
    const beside = ["my", "my fix", "my-2", "other", "not my", "m", "e\u0301"]
    assert.deepStrictEqual(Occupants.longerThan("/w/my", beside), [" fix", "-2"])
    assert.deepStrictEqual(Occupants.longerThan("/w/\u00e9", ["e\u0301", "e\u0301 2"]), [" 2"])
  })
})
