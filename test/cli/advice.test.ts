import { assert, describe, it } from "@effect/vitest"
import { Duration } from "effect"
import * as Advice from "../../src/cli/Advice.ts"
import * as Ages from "../../src/cli/Ages.ts"
import * as Paths from "../../src/cli/Paths.ts"

const told: Advice.Told = {
  here: true,
  noManager: false,
  root: "a root",
  socket: ["/s/one", "two"],
  dismiss: [],
  base: "trunk",
  quietFor: Duration.hours(2),
  keepBranches: ["demo/*"],
  repositories: ["-odd"],
  regenerable: ["cache"]
}

describe("an advised command", () => {
  const cases: ReadonlyArray<readonly [advice: string, pasted: string]> = [
    ["git -C /w status", "git -C /w status"],
    ["session-liveness sessions", "sessions --socket /s/one --socket two --here --root 'a root'"],
    [
      "session-liveness explain '/w/a b'",
      "explain '/w/a b' --quiet-for 2h --base trunk --keep-branch 'demo/*' --socket /s/one --socket two --here --root 'a root'"
    ],
    ["session-liveness release /w", "release /w"],
    ["session-liveness list", "list ./-odd"],
    ["session-liveness restore /w", "restore /w --repo ./-odd --here"]
  ]
  for (const [advice, pasted] of cases) {
    it(`keeps what the run was told: ${advice}`, () => {
      Advice.remember(told)
      assert.strictEqual(Advice.pasted(advice), pasted.startsWith("git ") ? pasted : `${Paths.program} ${pasted}`)
    })
  }

  const words: ReadonlyArray<readonly [word: string, advice: string]> = [
    ["see", "session-liveness explain /w"],
    ["see", "git -C /w status --untracked-files=all"],
    ["see", "git -C '/w/it'\\''s a b' submodule status"],
    ["run", "git -C '/w/a status' branch kept-1 HEAD"],
    ["run", "git -C /w update-index --no-skip-worktree -- status"],
    ["run", "git --git-dir=/r/.git worktree remove /w/status"],
    ["run", "session-liveness release /w"]
  ]
  for (const [word, advice] of words) {
    it(`says ${word} of ${advice}`, () => assert.match(Advice.text(advice), new RegExp(`^${word}: `)))
  }

  it("names an age as a person would give it", () => {
    for (const age of ["0", "90m", "12h", "7d"]) {
      assert.deepStrictEqual(
        Ages.parse(age).pipe((parsed) => parsed._tag === "Some" && Ages.print(parsed.value)),
        age
      )
    }
  })
})
