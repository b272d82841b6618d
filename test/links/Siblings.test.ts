import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { ClaudeId, LinkFile, ManagedId, Siblings } from "../../src/internal.ts"

const managed = (name: string) => Option.getOrThrow(ManagedId.parse(name))
const claude = (name: string) => Option.getOrThrow(ClaudeId.parse(name))

const file = (name: string, ...ids: ReadonlyArray<string>) => ({
  managedId: managed(name),
  file: LinkFile.parse(new TextEncoder().encode(ids.map((id) => `${id}\n`).join("")))
})

describe("Siblings.of", () => {
  const files = [file("m3", "b", "a"), file("m1", "c", "b"), file("m2", "d")]
  const cases: ReadonlyArray<readonly [name: string, id: string, siblings: Siblings.Siblings]> = [
    ["an id that no file lists is not linked", "x", Siblings.none],
    [
      "an id that one file lists has all ids of that file",
      "a",
      { _tag: "Linked", managedId: managed("m3"), claudeIds: [claude("b"), claude("a")] }
    ],
    [
      "an id alone in its file is its own only sibling",
      "d",
      { _tag: "Linked", managedId: managed("m2"), claudeIds: [claude("d")] }
    ],
    [
      "an id that several files list belongs to no one of them",
      "b",
      { _tag: "Ambiguous", managedIds: [managed("m1"), managed("m3")] }
    ]
  ]
  for (const [name, id, siblings] of cases) {
    it(name, () => {
      for (const order of [files, files.toReversed()]) assert.deepStrictEqual(Siblings.of(claude(id), order), siblings)
    })
  }
})
