/**
 * Asks a person, on stderr, so that an answer on stdout stays clean.
 */
import { Effect, Terminal } from "effect"
import { Prompt } from "effect/cli"
import { createInterface } from "node:readline"
import * as ExitCode from "./ExitCode.ts"
import * as Screen from "./Screen.ts"

/** `--yes` without `--apply` and `--apply` without a person are wrong usage. */
export const mustBePossible = (apply: boolean, yes: boolean): Effect.Effect<void, ExitCode.WrongUsage> => {
  if (yes && !apply) return ExitCode.wrong("--yes goes with --apply: without it nothing is changed")
  return !apply || yes || Screen.canAsk
    ? Effect.void
    : ExitCode.wrong("nobody can be asked here, because there is no terminal; add --yes to go on without a question")
}

/** Asks once. Ctrl-C and the end of the input interrupt. */
export const isYes = (question: string): Effect.Effect<boolean, never, Prompt.Environment> =>
  Screen.isSmart && Screen.wantsColors ? promptFor(question) : askPlainly(question)

const promptFor = (question: string): Effect.Effect<boolean, never, Prompt.Environment> =>
  Prompt.run(Prompt.Confirm({ message: question })).pipe(
    Effect.updateService(Terminal.Terminal, (terminal) => ({
      ...terminal,
      display: (text: string) => Effect.sync(() => Screen.write(2, text))
    })),
    Effect.catchTag("QuitError", () => Effect.interrupt)
  )

/** For a terminal that knows only lines, or wants no colours. */
const askPlainly = (question: string): Effect.Effect<boolean> =>
  Effect.callback((resume) => {
    const asking = createInterface({ input: process.stdin })
    asking.once("line", (line) => {
      resume(Effect.succeed(/^\s*y(es)?\s*$/i.test(line)))
      asking.close()
    })
    asking.once("close", () => resume(Effect.interrupt))
    Screen.write(2, `${Screen.printable(question)} (y/N) `)
    return Effect.sync(() => asking.close())
  })

/** Whether a change is meant; no is said in words. */
export const isMeant = (question: string, yes: boolean): Effect.Effect<boolean, never, Prompt.Environment> =>
  yes
    ? Effect.succeed(true)
    : Effect.tap(isYes(question), (meant) =>
        Effect.sync(() => (meant ? undefined : Screen.err("Nothing was changed.")))
      )
