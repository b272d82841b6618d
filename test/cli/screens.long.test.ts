import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Isolated from "../examples/Isolated.ts"
import * as Scene from "./Scene.ts"

/** What a person types, in this order: what one changes the next one finds. */
const lines: ReadonlyArray<string> = [
  "session-liveness",
  "session-liveness sweep --help",
  "session-liveness sweep --here",
  "session-liveness explain ../app-worktrees/fix-login --here",
  "session-liveness explain ../app-worktrees/harbor --here",
  "session-liveness explain . --here",
  "session-liveness check ../app-worktrees/fix-login ../app-worktrees/wip-many ../app-worktrees/機能-検索の結果を速くする --here",
  "session-liveness sessions --here",
  "session-liveness adopt ../app-worktrees/demo --session 5f0c7a52-harbor",
  "session-liveness release ../app-worktrees/demo",
  "session-liveness links show 8d40b7a1",
  "session-liveness links prune",
  "session-liveness links heal",
  "session-liveness sweep --apply --yes --here",
  "session-liveness list",
  "session-liveness restore ../app-worktrees/fix-login --here",
  "session-liveness restore ../app-worktrees/nothing --here",
  "session-liveness expire --here",
  "session-liveness setup --yes",
  "session-liveness sweep --aply"
]

describe.skipIf(!Isolated.allowed)("every command's screen", () => {
  it.live(
    "reads as it does in screens.txt, at 80 and at 200 columns",
    () =>
      Effect.gen(function* () {
        const shown: Array<string> = []
        for (const columns of [80, 200]) {
          const scene = yield* Scene.make
          for (const line of lines) {
            const { stdout, exitCode } = yield* Scene.screen(scene, columns, line)
            shown.push(
              `${`── ${columns} `.padEnd(columns, "─")}\n$ ${line.replace(" --here", "")}\n${Scene.settled(scene, stdout)}\n(exit ${exitCode})\n`
            )
          }
        }
        yield* Effect.promise(() => expect(shown.join("\n")).toMatchFileSnapshot("screens.txt"))
      }),
    240_000
  )
})
