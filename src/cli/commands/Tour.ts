/**
 * The whole story, on a root of its own.
 */
import { Effect, FileSystem, References } from "effect"
import { Command } from "effect/cli"
import * as path from "node:path"
import { Reclaim, Verdict } from "../../internal.ts"
import * as Advice from "../Advice.ts"
import * as ExitCode from "../ExitCode.ts"
import * as Help from "../Help.ts"
import * as Judging from "../Judging.ts"
import * as Outcomes from "../Outcomes.ts"
import * as Screen from "../Screen.ts"
import * as Table from "../Table.ts"
import * as Acts from "../tour/Acts.ts"
import * as World from "../tour/World.ts"

const all = Judging.toggle("all", "also what happens on a restart, a crash and a tmux that does not answer")

export const tour = Command.make("tour", { all }, ({ all }) =>
  ExitCode.end(
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const root = yield* fs.realPath(yield* fs.makeTempDirectoryScoped({ prefix: "session-liveness-tour-" }))
      Screen.out(
        "A repository with five worktrees, in a temporary directory. Which of them does nobody need any more?\n"
      )
      const { repository, git } = yield* World.make(root)
      yield* Effect.acquireRelease(
        Effect.sync(() => {
          const from = process.cwd()
          process.chdir(root)
          return from
        }),
        (from) => Effect.sync(() => process.chdir(from))
      )
      yield* play(root, repository, git, all).pipe(Effect.provide(World.services(root)))
      Screen.out(
        all
          ? "\nNothing was deleted. The temporary directory is removed now."
          : `\nThe temporary directory is removed now. \`${Advice.command("tour", "--all")}\` shows restarts, crashes and a tmux that does not answer.`
      )
      return ExitCode.done
    }).pipe(
      Effect.scoped,
      Effect.provideService(References.MinimumLogLevel, "None"),
      Effect.catch(({ message }) =>
        Effect.sync(() => {
          Judging.say(`the tour cannot be played: ${message}`)
          return ExitCode.refused
        })
      )
    )
  )
).pipe(
  Help.says({
    line: "the whole story on a temporary root",
    more: "It shows what may go, what stays and why, and the way back.",
    examples: [
      ["one screen", "tour"],
      ["all of it", "tour --all"]
    ]
  })
)

const columns: ReadonlyArray<Table.Column> = [
  { title: "", style: (word) => (word === "go" ? Screen.green : Screen.dim)(word) },
  { title: "worktree" },
  { title: "why" }
]

const play = Effect.fnUntraced(function* (root: string, repository: string, git: World.Git, all: boolean) {
  const short = (text: string) => text.replaceAll(`${root}/`, "")
  const options = { repositories: [repository], caller: World.harbor.id }
  const plan = yield* Reclaim.survey(options)
  const rows = plan.candidates.map(({ path, verdict }) => [
    Verdict.$is("Permit")(verdict) ? "go" : "keep",
    short(path),
    Screen.printable(
      short(Verdict.$is("Permit")(verdict) ? verdict.notes.join("; ") || "every gate permits" : verdict.reason)
    )
  ])
  Screen.out(Table.lines(columns, rows, Screen.width).join("\n"))

  Screen.out("\nsweep --apply moves out of the way what may go, after it has judged each once more:")
  const outcomes = yield* Reclaim.apply(plan)
  const moved = outcomes.filter(({ _tag }) => _tag === "Moved")
  for (const outcome of moved) Screen.out(`  ${short(outcome.path)} ${short(Outcomes.say(outcome).what)}`)
  const listed = git("worktree", "list").trimEnd().split("\n").length - 1
  Screen.out(`  git still knows all ${listed} worktrees, and every commit. Their branches are free.`)

  const [first] = moved
  if (first !== undefined) {
    Screen.out("\nrestore puts one back, as it was:")
    for (const back of yield* Reclaim.restore(first.path, { repositories: [repository] })) {
      Screen.out(`  ${short(back.path)} ${short(Outcomes.say(back).what)}`)
    }
  }

  Screen.out("\nClaude Code mints a new session id on every restart. Links remember which ids are one session:")
  yield* Acts.restarts
  if (all) yield* Acts.rest(root, path.join(root, "work", World.orchard.id))
})
