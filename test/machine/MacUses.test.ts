import { assert, describe, it } from "@effect/vitest"
import type { Processes } from "../../src/internal.ts"
import type * as Lsof from "../../src/machine/core/Lsof.ts"
import * as MacMounts from "../../src/machine/core/MacMounts.ts"
import * as MacUses from "../../src/machine/core/MacUses.ts"
import { processOf } from "./processOf.ts"

const mounts = MacMounts.parse("/dev/d1 on / (apfs, local)\n//me@nas/share on /Volumes/share (smbfs)\n") ?? []

const file = (given: Partial<Lsof.HeldFile> = {}): Lsof.HeldFile => ({
  kind: "open file",
  paths: ["/w/app/file"],
  device: 1,
  inode: "42",
  links: 1,
  regular: true,
  ...given
})

const holder = (pid: number, ...files: ReadonlyArray<Lsof.HeldFile>): Lsof.Holder => ({
  pid,
  files,
  missing: undefined
})

/** Process 7 of user 501 asks; 8 is another one of that user. */
const seen = (given: Partial<MacUses.Seen> & { readonly user?: number } = {}): MacUses.Seen => {
  const processes = [processOf({ pid: 7, user: 501 }), processOf({ pid: 8, user: 501 })]
  return {
    list: { self: { pid: 7, user: given.user ?? 501 }, bootedAt: null, processes },
    holders: [holder(7), holder(8, file())],
    after: processes,
    mounts,
    devices: new Set([1]),
    ...given
  }
}

const other = (given: Partial<Processes.Process>): MacUses.Seen["after"] => [
  processOf({ pid: 7, user: 501 }),
  processOf({ pid: 8, user: 501, ...given })
]

describe("what is missing of a look", () => {
  it("is nothing where every process of ours was told", () => assert.isUndefined(MacUses.missing(seen())))

  it("is a process of ours that lsof leaves out", () =>
    assert.strictEqual(MacUses.missing(seen({ holders: [holder(7)] }))?.pid, 8))

  it("is what lsof could not see of a process", () =>
    assert.strictEqual(MacUses.missing(seen({ holders: [holder(7), { ...holder(8), missing: "a path" }] }))?.pid, 8))

  const gone: ReadonlyArray<readonly [string, MacUses.Seen["after"]]> = [
    ["has gone", [processOf({ pid: 7, user: 501 })]],
    ["is ending", other({ state: "SE" })],
    ["is a zombie", other({ state: "Z" })]
  ]
  for (const [name, after] of gone) {
    it(`is nothing of a process that ${name}`, () => {
      assert.isUndefined(MacUses.missing(seen({ after, holders: [holder(7)] })))
      assert.isUndefined(MacUses.missing(seen({ after, holders: [holder(7), { ...holder(8), missing: "a path" }] })))
    })
  }

  it("is nothing of a process that was born meanwhile, unless lsof saw it in part", () => {
    const after = other({ startedAt: 2 })
    assert.isUndefined(MacUses.missing(seen({ after, holders: [holder(7)] })))
    assert.isDefined(MacUses.missing(seen({ after, holders: [holder(7), { ...holder(8), missing: "a path" }] })))
  })

  it("is nothing of other users, unless root asks", () => {
    const processes = [processOf({ pid: 7, user: 501 }), processOf({ pid: 8, user: 502 })]
    const of = (user: number) =>
      seen({ list: { self: { pid: 7, user }, bootedAt: null, processes }, after: processes, holders: [holder(7)] })
    assert.isUndefined(MacUses.missing(of(501)))
    assert.strictEqual(MacUses.missing(of(0))?.pid, 8)
  })
})

describe("what processes use", () => {
  const pathsOf = (given: Partial<MacUses.Seen>) => MacUses.of(seen(given)).paths.map(({ path }) => path)

  it("is each file by each of its names", () =>
    assert.deepStrictEqual(pathsOf({ holders: [holder(8, file({ paths: ["/w/^A", "/w/\u0001"] }))] }), [
      "/w/^A",
      "/w/\u0001"
    ]))

  it("is not looked up on another device, nor on a share", () => {
    assert.deepStrictEqual(pathsOf({ holders: [holder(8, file({ device: 2 }))] }), [])
    assert.deepStrictEqual(pathsOf({ holders: [holder(8, file({ paths: ["/Volumes/share/a"] }))] }), [])
    assert.lengthOf(pathsOf({ holders: [holder(8, file({ device: undefined }))] }), 1)
    assert.lengthOf(pathsOf({ holders: [holder(8, file({ device: 2 }))], devices: undefined }), 1)
  })

  it("may be known by other names where a file has more than one", () => {
    const linkedOf = (given: Partial<Lsof.HeldFile>) => MacUses.of(seen({ holders: [holder(8, file(given))] })).linked
    assert.deepStrictEqual(linkedOf({ links: 2 }), [{ pid: 8, device: 1, inode: "42" }])
    assert.lengthOf(linkedOf({ links: undefined }), 1)
    assert.lengthOf(linkedOf({ links: 1 }), 0)
    assert.lengthOf(linkedOf({ links: 2, regular: false }), 0)
  })

  it("is not what this process started meanwhile, and is what it uses itself", () => {
    const after = [...other({}), processOf({ pid: 9, parent: 7, user: 501 })]
    const uses = MacUses.of(seen({ after, holders: [holder(7, file()), holder(9, file())] })).paths
    assert.deepStrictEqual(
      uses.map(({ pid }) => pid),
      [7]
    )
  })
})
