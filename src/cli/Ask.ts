/**
 * Asks a person, on stderr, so that an answer on stdout stays clean.
 */
import { Effect, Terminal } from "effect"
import { Prompt } from "effect/cli"
import * as ExitCode from "./ExitCode.ts"
import * as Screen from "./Screen.ts"

/** `--yes` without `--apply` and `--apply` without a person are wrong usage. */
export const mustBePossible = (apply: boolean, yes: boolean): Effect.Effect<void, ExitCode.WrongUsage> => {
  if (yes && !apply) return ExitCode.wrong("--yes goes with --apply: without it nothing is changed")
  return !apply || yes || Screen.canAsk
    ? Effect.void
    : ExitCode.wrong("nobody can be asked here, because there is no terminal; add --yes to go on without a question")
}

/** Asks once. Ctrl-C interrupts. */
export const isYes = (question: string): Effect.Effect<boolean, never, Prompt.Environment> =>
  Prompt.run(Prompt.Confirm({ message: question })).pipe(
    Effect.updateService(Terminal.Terminal, (terminal) => ({
      ...terminal,
      display: (text: string) => Effect.sync(() => Screen.write(2, text))
    })),
    Effect.catchTag("QuitError", () => Effect.interrupt)
  )

/** Whether a change is meant; no is said in words. */
export const isMeant = (question: string, yes: boolean): Effect.Effect<boolean, never, Prompt.Environment> =>
  yes
    ? Effect.succeed(true)
    : Effect.tap(isYes(question), (meant) =>
        Effect.sync(() => (meant ? undefined : Screen.err("Nothing was changed.")))
      )
