import { assert, describe, it } from "@effect/vitest"
import * as Occupants from "../../src/claims/core/Occupants.ts"
import * as Place from "../../src/claims/core/Place.ts"
import type * as PathUses from "../../src/machine/core/PathUses.ts"

const ext4 = 64_769n
const xfs = 64_770n
/** A file system whose devices are numbered in another way by `stat` than where processes show their watches. */
const btrfs = 2n

const identity = (inode: number, device = ext4): Place.Identity => ({ device, inode: BigInt(inode) })

const place = (path: string, ...identities: ReadonlyArray<Place.Identity>): Place.Place =>
  Place.resolved(path, [{ segments: Place.segmentsOf(path) ?? [], identities }])

/** Inodes 2, 31 and 4 are the root, `/w` and the candidate. */
const candidate = place("/w/a", identity(2), identity(31), identity(4))
const onBtrfs = place("/w/a", identity(2), identity(3), identity(4, btrfs))
const unnumbered = place("/w/a")
const unresolvable = Place.Unresolvable({ path: "/w/a", why: "no permission" })

const use = (kind: PathUses.InodeUse["kind"], pid: number, inode: number, device = ext4): PathUses.InodeUse => ({
  pid,
  kind,
  ...identity(inode, device)
})
const watch = (pid: number, inode: number, device = ext4) => use("watch", pid, inode, device)

const gathered = (...inodes: ReadonlyArray<PathUses.InodeUse>): Occupants.Gathered =>
  Occupants.arrange({ self: { pid: 1, user: 1000 }, bootedAt: null, processes: [] }, [], [], {
    inodes,
    exactDevices: new Set([ext4, xfs])
  })

const pidsOf = (occupants: ReadonlyArray<Occupants.Occupant>) => occupants.map(({ pid }) => pid)

describe("Occupants.watchedAround", () => {
  it("is every directory above the candidate that a process watches", () => {
    const all = gathered(watch(7, 31), watch(7, 9), watch(8, 4), watch(9, 2), use("open file", 6, 31))
    assert.deepStrictEqual(Occupants.watchedAround(all, [candidate, unnumbered, unresolvable]), [
      { pid: 7, path: "/w/" },
      { pid: 9, path: "/" }
    ])
  })

  it("is told by the path under which the candidate has it", () => {
    const twice = Place.resolved("/v/a", [
      { segments: ["v", "a"], identities: [identity(2), identity(5)] },
      { segments: ["w", "a"], identities: [identity(2), identity(3), identity(4)] }
    ])
    assert.deepStrictEqual(Occupants.watchedAround(gathered(watch(7, 3)), [twice]), [{ pid: 7, path: "/w/" }])
  })
})

describe("Occupants.bySocket", () => {
  it("are those with a relative path that ends as a socket in the candidate is named", () => {
    const all = Occupants.arrange({ self: { pid: 1, user: 1000 }, bootedAt: null, processes: [] }, [], [], {
      inodes: [],
      sockets: [
        { pid: 7, path: "run/a.sock" },
        { pid: 8, path: "a.sock" },
        { pid: 9, path: "aa.sock" }
      ],
      exactDevices: new Set()
    })
    const found = Occupants.bySocket(all, ["/w/a/src/a.sock", "/w/a/b.sock"])
    assert.deepStrictEqual(
      found.map(({ pid, how }) => `${pid} ${how}`),
      ["7 open file /w/a/src/a.sock", "8 open file /w/a/src/a.sock"]
    )
  })
})

describe("Occupants.watchers", () => {
  const inside = [identity(4), identity(4, xfs), identity(5), identity(6, btrfs)]
  const found = (explained: ReadonlyArray<number>, ...inodes: ReadonlyArray<PathUses.InodeUse>) =>
    Occupants.watchers(gathered(...inodes), new Set(explained), inside)

  it("are those whose watch is on a directory in it, each once", () => {
    const occupants = found([], watch(6, 9), watch(7, 9), watch(7, 4), watch(7, 5), watch(8, 5))
    assert.deepStrictEqual(pidsOf(occupants), [7, 8])
    assert.strictEqual(occupants[0]?.how, "watch on a directory in it")
  })

  it("are none whose watches are explained", () => {
    assert.deepStrictEqual(pidsOf(found([7], watch(7, 4), watch(8, 4))), [8])
  })

  it("are told by the device too, where devices are numbered alike", () => {
    assert.deepStrictEqual(found([], watch(7, 4, btrfs)), [])
    assert.deepStrictEqual(pidsOf(found([], watch(7, 6, btrfs), watch(8, 6, 77n))), [7, 8])
  })
})

describe("Occupants.mayBeWatched", () => {
  const may = (at: Place.Place, explained: ReadonlyArray<number>, ...inodes: ReadonlyArray<PathUses.InodeUse>) =>
    Occupants.mayBeWatched(gathered(...inodes), new Set(explained), [at])

  it("is false only where no watch that counts can be on its device", () => {
    assert.isFalse(may(candidate, []))
    assert.isFalse(may(candidate, [], watch(7, 9, 5n)))
    assert.isTrue(may(candidate, [], watch(7, 9, 5n), watch(7, 9)))
    assert.isFalse(may(candidate, [7], watch(7, 9)))
    assert.isTrue(may(candidate, [7], watch(7, 9), watch(8, 9)))
    const notThere = place("/w/new", identity(2), identity(3))
    for (const unknown of [onBtrfs, unnumbered, unresolvable, notThere])
      assert.isTrue(may(unknown, [], watch(7, 9, 5n)))
    const mixed = Occupants.mayBeWatched(gathered(watch(7, 9, 5n)), new Set(), [candidate, onBtrfs])
    assert.isTrue(mixed)
  })
})

describe("Occupants.byLink", () => {
  const openFiles = [use("open file", 7, 8), use("open file", 8, 8, btrfs), watch(9, 8)]

  it("may be those whose open files are on its device", () => {
    const may = (...places: ReadonlyArray<Place.Place>) =>
      Occupants.maybeLinked(gathered(...openFiles), places).map(({ pid }) => pid)
    assert.deepStrictEqual(may(candidate), [7])
    assert.deepStrictEqual(may(candidate, onBtrfs), [7, 8])
    assert.deepStrictEqual(may(unnumbered, unresolvable), [7, 8], "of which no device is known, all")
  })

  it("are those whose open file is one in it", () => {
    const linked = (...inside: ReadonlyArray<Place.Identity>) =>
      Occupants.byLink(gathered(), openFiles.slice(0, 2), inside)
    assert.deepStrictEqual(pidsOf(linked(identity(8), identity(9))), [7])
    assert.deepStrictEqual(pidsOf(linked(identity(8, btrfs))), [8])
    assert.deepStrictEqual(linked(), [])
    assert.strictEqual(linked(identity(8))[0]?.how, "open file that has another name in it")
  })
})
