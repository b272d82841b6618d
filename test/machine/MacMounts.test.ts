import { assert, describe, it } from "@effect/vitest"
import * as MacMounts from "../../src/machine/core/MacMounts.ts"
import * as Mounts from "../../src/machine/core/Mounts.ts"

const only = (line: string) => MacMounts.parse(`${line}\n`)?.[0]

const recorded = `/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)
devfs on /dev (devfs, local, nobrowse)
/dev/disk3s5 on /System/Volumes/Data (apfs, local, journaled, nobrowse, protect)
map auto_home on /System/Volumes/Data/home (autofs, automounted, nobrowse)
/dev/disk4s2 on /Volumes/My Disk (1) (hfs, local, nodev, nosuid, journaled, noowners)
//me@nas/share on /Volumes/share (smbfs, nodev, nosuid, mounted by me)
/Users/me/src on /Users/me/app/src (nullfs, local)
`

describe("MacMounts.parse", () => {
  it("reads a table", () => {
    const mounts = MacMounts.parse(recorded)
    assert.deepStrictEqual(
      mounts?.map(({ point }) => point),
      [
        "/",
        "/dev",
        "/System/Volumes/Data",
        "/System/Volumes/Data/home",
        "/Volumes/My Disk (1)",
        "/Volumes/share",
        "/Users/me/app/src"
      ]
    )
    assert.deepStrictEqual(mounts?.[5], {
      source: "//me@nas/share",
      point: "/Volumes/share",
      type: "smbfs",
      flags: new Set(["nodev", "nosuid", "mounted by me"])
    })
  })

  const hostile: ReadonlyArray<readonly [string, string]> = [
    ["is empty", ""],
    ["was cut off", recorded.slice(0, -1)],
    ["was cut off within a line", `${recorded.slice(0, -5)}\n`],
    ["can be read in two ways", "/dev/disk4s1 on /Volumes/a on /b (apfs, local)\n"],
    ["has an empty line", `${recorded}\n`],
    ["is that of Linux", "/dev/sda1 on / type ext4 (rw,relatime)\n"],
    ["has no kind", "/dev/disk4s1 on /Volumes/a ()\n"],
    ["has no point", "/dev/disk4s1 (apfs, local)\n"]
  ]
  for (const [name, text] of hostile) {
    it(`is no table when it ${name}`, () => assert.isUndefined(MacMounts.parse(text)))
  }
})

describe("MacMounts.typeOf", () => {
  const cases: ReadonlyArray<readonly [line: string, isFit: boolean]> = [
    ["/dev/disk3s5 on /d (apfs, local, journaled)", true],
    ["/dev/disk3s5 on /d (hfs, local)", true],
    ["/dev/disk3s5 on /d (apfs, local, noowners)", false],
    ["/dev/disk3s5 on /d (apfs, journaled)", false],
    ["x on /d (macfuse, local)", false],
    ["GoogleDrive on /Volumes/GoogleDrive (dfsfuse_DFS, local, nodev)", false],
    ["/dev/disk5s1 on /d (exfat, local)", false],
    ["//me@nas/share on /d (smbfs)", false]
  ]
  for (const [line, isFit] of cases) {
    it(`${isFit ? "lets pass" : "refuses"} ${line}`, () => {
      const mount = only(line)
      assert.strictEqual(mount === undefined ? undefined : !Mounts.isNetwork(MacMounts.typeOf(mount)), isFit)
    })
  }
})

describe("MacMounts.showsDirectory", () => {
  it("is so of the two kinds that show one, where it is named in full", () => {
    const shows = [
      "/Users/me/src on /d (nullfs, local)",
      "/Users/me/src on /d (bindfs, local)",
      "src on /d (nullfs, local)",
      "bindfs@macfuse0 on /d (bindfs, local)",
      "/dev/disk3s5 on /d (apfs, local)"
    ].map((line) => {
      const mount = only(line)
      return mount && MacMounts.showsDirectory(mount)
    })
    assert.deepStrictEqual(shows, [true, true, false, false, false])
  })
})

describe("MacMounts.isAway", () => {
  const mounts = MacMounts.parse(recorded) ?? []
  it("goes by whole segments", () => {
    for (const path of ["/Volumes/share", "/Volumes/share/a"]) assert.isTrue(MacMounts.isAway(mounts, path), path)
    for (const path of ["/Volumes/share2", "/Users/me", "/"]) assert.isFalse(MacMounts.isAway(mounts, path), path)
  })
})
