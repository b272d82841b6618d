import { assert, it } from "@effect/vitest"
import { ClaudeId, LinkFile, LinkHistory } from "../../src/internal.ts"
import { Gen, LinkArbitraries, LinkFiles } from "../../src/testing/index.ts"

type Files = ReadonlyArray<readonly [name: string, bytes: Uint8Array]>

const linksOf = (files: Files): ReadonlyMap<string, ReadonlyArray<string>> | undefined => {
  const fold = LinkHistory.begin()
  for (const [name, bytes] of files) fold.addBytes(name, bytes)
  const history = fold.end()
  return history._tag === "Read" ? history.links : undefined
}

const plainly = (files: Files): ReadonlyMap<string, ReadonlyArray<string>> | undefined => {
  const links = new Map<string, ReadonlyArray<string>>()
  for (const [name, bytes] of files) {
    const { ids, torn, damaged } = LinkFile.parse(bytes)
    if (torn || damaged > 0) return undefined
    for (const id of ids) links.set(id, [...new Set([...(links.get(id) ?? []), name])].sort())
  }
  return links
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

it.prop(
  "a history of bytes links what the parsed files link",
  [Gen.array(Gen.struct({ name: Gen.element(["m1", "m2", "m3"]), file: LinkArbitraries.linkFile }), { maxLength: 5 })],
  ([drawn]) => {
    const files = drawn.map(({ name, file }) => [name, LinkFiles.toBytes(file)] as const)
    assert.deepStrictEqual(linksOf(files), plainly(files))
  },
  { arbitrary: { runs: 2000, seed: "link-table" } }
)

it("lines of every length and kind are read as the parser reads them", () => {
  for (const line of ["", " a ", "é", "a\u0018", "a b", "x".repeat(255), "x".repeat(256), "é".repeat(128), "\ufffd"]) {
    for (const text of [`${line}\n`, `b\n${line}\nc\n`, `b\n${line}`]) {
      assert.deepStrictEqual(linksOf([["m", bytesOf(text)]]), plainly([["m", bytesOf(text)]]), JSON.stringify(text))
    }
  }
})

it("is a map of as many ids as there are", () => {
  const count = 20_000
  const files: Files = Array.from({ length: count }, (_, n) => [`m${n}`, bytesOf(`own-${n}\n${n % 7}\n`)])
  const links = linksOf(files)
  assert(links !== undefined)
  assert.strictEqual(links.size, count + 7)
  for (let n = 0; n < count; n += 97) assert.deepStrictEqual(links.get(`own-${n}`), [`m${n}`])
  assert.lengthOf(links.get("3") ?? [], Math.ceil((count - 3) / 7))
  for (const none of ["own-", "own-20000", "", "3\n", "3\nown-4", "\ufeff3", "x".repeat(70_000)]) {
    assert.deepStrictEqual([links.get(none), links.has(none)], [undefined, false])
  }
  const copy = new Map(links)
  assert.deepStrictEqual([...links.keys()], [...copy.keys()])
  assert.deepStrictEqual([...links.values()], [...copy.values()])
  const visited = new Map<string, ReadonlyArray<string>>()
  links.forEach((managed, id) => visited.set(id, managed))
  assert.deepStrictEqual(visited, copy)
  assert.isTrue([...copy.keys()].every(ClaudeId.is))
})

it("tells ids apart whose hashes are the same", () => {
  const links = linksOf([
    ["m1", bytesOf("costarring\na\n")],
    ["m2", bytesOf("liquid\n")]
  ])
  assert.deepStrictEqual([links?.get("costarring"), links?.get("liquid"), links?.size], [["m1"], ["m2"], 3])
  assert.isUndefined(links?.get("a\nagf0LqW"))
})
