import { assert, describe, it } from "@effect/vitest"
import { DiskUsage } from "../../src/internal.ts"

const usageOf = (
  ...entries: ReadonlyArray<readonly [inode: number, names: number, bytes: number, device?: number]>
) => {
  const tally = DiskUsage.tally()
  for (const [inode, names, bytes, device = 1] of entries) tally.add({ device, inode, names, bytes })
  return tally.usage()
}

describe("DiskUsage", () => {
  it("counts a file of several names once, and as shared while a name of it is missing", () => {
    assert.deepStrictEqual(usageOf([1, 1, 10], [2, 1, 5]), { bytes: 15, shared: 0 })
    assert.deepStrictEqual(usageOf([1, 3, 10], [1, 3, 10]), { bytes: 10, shared: 10 })
    assert.deepStrictEqual(usageOf([1, 3, 10], [1, 3, 10], [1, 3, 10]), { bytes: 10, shared: 0 })
    assert.deepStrictEqual(usageOf([1, 2, 10, 1], [1, 2, 10, 2]), { bytes: 20, shared: 20 })
    assert.strictEqual(DiskUsage.freed({ bytes: 30, shared: 20 }), 10)
  })

  it("reads as a person writes it", () => {
    const sizes = [
      0,
      1023,
      1024,
      1536,
      10 * 1024,
      100 * 1024,
      10 * 1024 ** 2 + 1,
      999 * 1024 ** 2,
      3.999 * 1024 ** 3,
      5000 * 1024 ** 4
    ]
    assert.deepStrictEqual(sizes.map(DiskUsage.format), [
      "0 B",
      "1023 B",
      "1.00 KiB",
      "1.50 KiB",
      "10.0 KiB",
      "100 KiB",
      "10.0 MiB",
      "999 MiB",
      "3.99 GiB",
      "5000 TiB"
    ])
  })
})
