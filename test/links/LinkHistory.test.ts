import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { ClaudeId, LinkFile, LinkHistory, ManagedId } from "../../src/internal.ts"

const managed = (name: string) => Option.getOrThrow(ManagedId.parse(name))
const claude = (name: string) => Option.getOrThrow(ClaudeId.parse(name))

const file = (name: string, text: string): LinkHistory.Entry => ({
  name,
  content: LinkFile.parse(new TextEncoder().encode(text))
})
const unreadable = (name: string): LinkHistory.Entry => ({ name, content: { unreadable: "is a directory" } })

/** The history of the entries, in whichever order they come. */
const fold = (...entries: ReadonlyArray<LinkHistory.Entry>): LinkHistory.LinkHistory => {
  const history = LinkHistory.fromEntries(entries)
  assert.deepStrictEqual(LinkHistory.fromEntries(entries.toReversed()), history)
  return history
}

describe("LinkHistory.fromEntries", () => {
  const links = (history: LinkHistory.LinkHistory) =>
    history._tag === "Read" ? [...history.links].sort(([a], [b]) => (a < b ? -1 : 1)) : history

  it("has no links of an empty sidecar", () => assert.deepStrictEqual(links(fold()), []))

  it("knows every session that an id was ever linked to", () => {
    assert.deepStrictEqual(links(fold(file("m2", "b\na\n"), file("m1", "b\n"))), [
      [claude("a"), [managed("m2")]],
      [claude("b"), [managed("m1"), managed("m2")]]
    ])
  })

  it("passes over dot-files, whatever they hold", () => {
    assert.deepStrictEqual(links(fold(file("m", "a\n"), file(".old", "b\n"), unreadable(".lock"))), [
      [claude("a"), [managed("m")]]
    ])
  })

  const directory = (name: string) => `"${name}" is a directory`
  const cases: ReadonlyArray<readonly [name: string, entries: ReadonlyArray<LinkHistory.Entry>, reason: string]> = [
    ["an entry that could not be read", [file("a", "x\n"), unreadable("m")], directory("m")],
    [
      "a write that did not finish",
      [file("m", "x\ny")],
      '"m" ends in a write that did not finish; `session-liveness links heal` closes it'
    ],
    ["a damaged line", [file("m", "x\n\ufffd\n")], '"m" holds 1 damaged line(s); fix or move the file'],
    [
      "a name that is no managed id, whatever it holds",
      [file("no\\id", "x\n")],
      '"no\\\\id" has a name that is no managed id; move it out of the sidecar directory'
    ],
    ["three faults, all named", ["c", "a", "b"].map(unreadable), ["a", "b", "c"].map(directory).join("; ")],
    [
      "more than three, of which it names the first",
      ["d", "c", "e", "a", "b"].map(unreadable),
      `${["a", "b", "c"].map(directory).join("; ")}; and 2 more`
    ]
  ]
  for (const [name, entries, reason] of cases) {
    it(`is unreadable for ${name}`, () => assert.deepStrictEqual(fold(...entries), LinkHistory.Unreadable({ reason })))
  }
})
