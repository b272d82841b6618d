/**
 * Every recorded session, live or gone, and why.
 */
import { Effect } from "effect"
import { Command } from "effect/cli"
import * as ExitCode from "../ExitCode.ts"
import * as Help from "../Help.ts"
import * as Judging from "../Judging.ts"
import * as Progress from "../Progress.ts"
import * as Screen from "../Screen.ts"
import * as Sessions from "../Sessions.ts"

const pause = "2 seconds"

const watch = Judging.toggle("watch", "look again every two seconds, until Ctrl-C")

export const sessions = Command.make(
  "sessions",
  { watch, json: Judging.json, ...Judging.flags },
  ({ watch, json, ...flags }) => {
    const look = Effect.gen(function* () {
      const seen = yield* Sessions.look(flags).pipe(Progress.during("looking at tmux and the processes …"))
      const clear = watch && !json ? Screen.wipe : ""
      const lines = json ? seen.rows.map(Screen.json) : [clear + Sessions.text(seen)]
      const isRead = lines.every((line) => Screen.out(line))
      const { observation, incomplete } = seen.claims
      const isWhole = observation._tag === "Answered" && incomplete === undefined
      if (json && !isWhole) Judging.say(incomplete ?? "tmux was not observed")
      return { isRead, code: isWhole ? ExitCode.done : ExitCode.refused }
    })
    const watching = Effect.gen(function* () {
      for (;;) {
        const { isRead, code } = yield* look
        if (!isRead) return code
        yield* Effect.sleep(pause)
        if (!json && Screen.wipe === "") Screen.out("")
      }
    })
    return Judging.run(flags, watch ? watching : Effect.map(look, ({ code }) => code))
  }
).pipe(
  Help.says({
    line: "every recorded session, live or gone, and why",
    also: "--watch",
    more: "It names the panes that show it, whether an agent runs in it, and its workspace. A session is gone only on positive evidence; whatever is unknown leaves it live.",
    examples: [
      ["all of them, once", "sessions"],
      ["one object a line, for a script", "sessions --json"]
    ]
  })
)
