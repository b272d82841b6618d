import { assert, describe, it } from "@effect/vitest"
import { Brand } from "effect"
import type { ClaudeId, ManagedId } from "../../src/internal.ts"
import { LinkTable } from "../../src/links/core/LinkTable.ts"

const claude = Brand.nominal<ClaudeId.ClaudeId>()
const managed = Brand.nominal<ManagedId.ManagedId>()

const bytes = (text: string) => new TextEncoder().encode(text)

/** The same, kept as a person would. */
class Plain {
  readonly #ids = new Map<string, Set<string>>()
  add(owner: string, ids: ReadonlyArray<string>): void {
    for (const id of ids) this.#ids.set(id, (this.#ids.get(id) ?? new Set()).add(owner))
  }
  entries(): ReadonlyArray<readonly [string, ReadonlyArray<string>]> {
    return [...this.#ids].map(([id, owners]) => [id, [...owners].sort()])
  }
}

const assertSame = (table: LinkTable, plain: Plain): void => {
  const expected = plain.entries()
  assert.deepStrictEqual<unknown>([...table], expected)
  assert.strictEqual(table.size, expected.length)
  for (const [id, owners] of expected) assert.deepStrictEqual<unknown>(table.get(claude(id)), owners)
}

describe("LinkTable", () => {
  it("is the same as a map of sets, however much is added to it and in what form", () => {
    const table = new LinkTable()
    const plain = new Plain()
    // Strides that no power of two divides, so that ids come again under other owners, and after the table has grown.
    for (let step = 0; step < 400; step++) {
      const owner = `m-${(step * 7) % 23}`
      const ids = [0, 1, 2].map((index) => `id-${(step * 31 + index * 97) % 331}`)
      const text = step % 3 === 0 ? ids.map((id) => `é ${id}`) : ids
      plain.add(owner, text)
      if (step % 3 === 0)
        table.addIds(
          managed(owner),
          text.map((id) => claude(id))
        )
      else assert.isTrue(table.addFile(managed(owner), bytes(text.map((id) => `${id}\n`).join(""))))
      if (step % 50 === 0) assertSame(table, plain)
    }
    assertSame(table, plain)
  })

  it("knows an id by the whole of it", () => {
    const table = new LinkTable()
    table.addIds(
      managed("m"),
      ["ab", "a", "", "\ufeffa"].map((id) => claude(id))
    )
    table.addFile(managed("n"), bytes("abc\n"))
    for (const id of ["ab", "a", "", "abc", "\ufeffa"]) assert.isTrue(table.has(claude(id)), id)
    for (const id of ["b", "abcd", "a\n", "a\nab", "ab\nabc", "\ufeff"]) assert.isFalse(table.has(claude(id)), id)
    assert.deepStrictEqual<unknown>([...table.keys()], ["ab", "a", "", "\ufeffa", "abc"])
    assert.strictEqual(table.size, 5, "a question adds nothing")
  })

  const id = "x".repeat(255)
  const files: ReadonlyArray<readonly [text: string, whole: boolean, ids: ReadonlyArray<string>]> = [
    ["", true, []],
    ["a\nb\n", true, ["a", "b"]],
    ["A-z_0.9\n", true, ["A-z_0.9"]],
    [`${id}\n`, true, [id]],
    [`a\n${id}x\n`, false, ["a"]],
    ["a\nb", false, ["a"]],
    ["a\n\nb\n", false, ["a"]],
    ["\n", false, []],
    ["a\nb c\n", false, ["a"]],
    ["a\nb\r\n", false, ["a"]],
    ["é\n", false, []]
  ]
  for (const [text, whole, ids] of files) {
    it(`takes ${JSON.stringify(text.slice(0, 9))} for ${whole ? "whole" : "a file to be read otherwise"}`, () => {
      const table = new LinkTable()
      assert.strictEqual(table.addFile(managed("m"), bytes(text)), whole)
      assert.deepStrictEqual<unknown>([...table.keys()], ids)
      table.addFile(managed("n"), bytes("c\n"))
      assert.deepStrictEqual<unknown>([...table.keys()], [...ids, "c"], "and goes on")
      assert.deepStrictEqual<unknown>([...table.values()], [...ids.map(() => ["m"]), ["n"]])
    })
  }

  it("is visited as a map is", () => {
    const table = new LinkTable()
    table.addFile(managed("m"), bytes("a\n"))
    const visited: Array<unknown> = []
    table.forEach((...each) => visited.push(each))
    assert.deepStrictEqual(visited, [[["m"], "a", table]])
    assert.strictEqual(Object.prototype.toString.call(table), "[object Map]")
  })
})

it("holds more ids than one block does, and those of a file that is larger than one", () => {
  const table = new LinkTable()
  const idOf = (file: number, n: number): ClaudeId.ClaudeId => claude(`${file}-${n}-${"x".repeat(190)}`)
  const counts = [1000, 2000, 3000, 6000]
  for (const [file, count] of counts.entries()) {
    const ids = Array.from({ length: count }, (_, n) => idOf(file, n))
    const name = managed(`m${file}`)
    if (!table.addFile(name, bytes(ids.map((id) => `${id}\n`).join("")))) table.addIds(name, ids)
  }
  assert.strictEqual(table.size, 12_000)
  for (const [file, count] of counts.entries()) {
    for (let n = 0; n < count; n++) assert.deepStrictEqual(table.get(idOf(file, n)), [managed(`m${file}`)])
  }
  assert.strictEqual(new Set(table.keys()).size, 12_000)
})
