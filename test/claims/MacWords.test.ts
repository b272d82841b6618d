import { assert, describe, it } from "@effect/vitest"
import * as Occupants from "../../src/claims/core/Occupants.ts"
import * as Place from "../../src/claims/core/Place.ts"
import { processOf } from "../machine/processOf.ts"

const candidate = "/Users/me/My Work/Été"

const place = Place.resolved(candidate, [{ segments: Place.segmentsOf(candidate) ?? [], identities: [] }])

/** Whether a process that stands in `/Users/me` names the candidate, by a command line as `ps` prints it. */
const isNamed = (line: string, { isMac = true, longer = [] as ReadonlyArray<string> } = {}): boolean => {
  const list = {
    self: { pid: 1, user: 501 },
    bootedAt: null,
    argsAreWords: isMac,
    processes: [processOf({ pid: 7, args: isMac ? line.split(" ") : [line] })]
  }
  const directory = { pid: 7, kind: "working directory" as const, path: "/Users/me" }
  const gathered = Occupants.arrange(list, [directory], [], { inodes: [], exactDevices: new Set() })
  return Occupants.mayBeNamed(gathered, [place]) && Occupants.byWords(gathered, [place], longer).length > 0
}

describe("a command line of a Mac names a worktree", () => {
  const cases: ReadonlyArray<readonly [name: string, line: string, is: boolean]> = [
    ["as it is", "vim My Work/Été/a.ts", true],
    ["in another case, which most file systems of macOS fold", "vim my work/ÉTÉ/a.ts", true],
    ["in full, quoted, in another case", "sh -c cd '/users/me/My Work/été' && ls", true],
    ["in another normal form", "vim My Work/E\u0301te\u0301", true],
    ["in bytes by their number", "vim My Work/\\303\\211t\\303\\251/a.ts", true],
    ["in the signs of another locale", "vim My Work/M-CM^It\\303\\251", true],
    ["and not by a longer name", "vim My Work/Été2", false]
  ]
  for (const [name, line, is] of cases) it(name, () => assert.strictEqual(isNamed(line), is))

  it("and not where a longer name beside it fits there, in any case", () =>
    assert.isFalse(isNamed("vim my work/ÉTÉ (COPY)/a", { longer: [" (copy)"] })))

  it("and elsewhere another case is another name", () => {
    assert.isFalse(isNamed("vim my work/ÉTÉ/a.ts", { isMac: false }))
    assert.isTrue(isNamed("vim My Work/Été/a.ts", { isMac: false }))
  })
})
