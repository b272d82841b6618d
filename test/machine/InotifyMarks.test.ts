import { assert, describe, it } from "@effect/vitest"
import * as InotifyMarks from "../../src/machine/core/InotifyMarks.ts"

const line = (numbers: string) =>
  `inotify ${numbers} mask:fc6 ignored_mask:0 fhandle-bytes:8 fhandle-type:1 f_handle:0\n`

describe("InotifyMarks.parse", () => {
  it("reads device and inode of every watch, in the numbers of stat", () => {
    const text = `pos:\t0\nflags:\t02004000\n${line("wd:a ino:1f3 sdev:800002")}${line("wd:1f ino:ffffffffff sdev:10300100")}`
    assert.deepStrictEqual(InotifyMarks.parse(text), [
      { inode: 0x1f3n, device: 0x802n },
      { inode: 0xffffffffffn, device: InotifyMarks.deviceOf(0x103n, 0x100n) }
    ])
    assert.deepStrictEqual(InotifyMarks.parse("pos:\t0\n"), [])
  })

  it("gives nothing where a line has another shape", () => {
    for (const bad of [
      "wd:1 ino:zz sdev:1",
      "wd:1 sdev:1 ino:1",
      "wd: ino:1 sdev:1",
      "ino:1 sdev:1",
      "x inotify wd:1 ino:1 sdev:1"
    ]) {
      assert.isUndefined(InotifyMarks.parse(line("wd:1 ino:1 sdev:1") + line(bad)), bad)
    }
    assert.isUndefined(InotifyMarks.parse("inotify wd:1 ino:1 sdev:1"), "cut off")
    assert.isUndefined(InotifyMarks.parse("inotify\n"))
  })
})

describe("InotifyMarks.deviceOf", () => {
  it("packs major and minor as the C library does", () => {
    const cases: ReadonlyArray<readonly [major: bigint, minor: bigint, device: bigint]> = [
      [8n, 2n, 0x802n],
      [0xfffn, 0xffn, 0xfffffn],
      [0n, 0x100n, 0x100000n],
      [259n, 0xabcden, 0xabc103den],
      [0x1000n, 0n, 0x1000_0000_0000n]
    ]
    for (const [major, minor, device] of cases) assert.strictEqual(InotifyMarks.deviceOf(major, minor), device)
  })
})
