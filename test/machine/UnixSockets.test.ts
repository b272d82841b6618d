import { assert, describe, it } from "@effect/vitest"
import * as UnixSockets from "../../src/machine/core/UnixSockets.ts"

const row = (inode: number, path: string) => `00000000fe09a164: 00000002 00000000 00010000 0001 01 ${inode}${path}\n`

describe("UnixSockets.parse", () => {
  it("tells the path of each socket that has one in the file system", () => {
    const listed = [
      "Num       RefCount Protocol Flags    Type St Inode Path\n",
      row(635, " /run/a b.sock"),
      row(5_166_559, ""),
      row(7, " @abstract"),
      row(8, " tmp/x.sock"),
      row(9, " /run/padded").replace(" 9 ", "     9 ")
    ].join("")
    assert.deepStrictEqual(
      [...UnixSockets.parse(listed)],
      [
        ["socket:[635]", "/run/a b.sock"],
        ["socket:[8]", "tmp/x.sock"],
        ["socket:[9]", "/run/padded"]
      ]
    )
  })

  it("tells nothing of what has another shape", () => {
    for (const text of ["", "what?\n", "1: 2 3 /x\n", `x${row(1, " /x")}`])
      assert.strictEqual(UnixSockets.parse(text).size, 0, text)
  })
})
