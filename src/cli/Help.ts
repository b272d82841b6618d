/**
 * What the help says, and what effect/cli presents: an answer on stdout, wrong usage on stderr with the way to the help rather
 * than all of it.
 */
import { Console } from "effect"
import { CliOutput, Command, type HelpDoc } from "effect/cli"
import * as Paths from "./Paths.ts"
import * as Screen from "./Screen.ts"
import * as Table from "./Table.ts"

export interface Texts {
  /** What the command does, in one line of a terminal. */
  readonly line: string
  /** The flag by which it does more, in the list of commands. */
  readonly also?: string | undefined
  readonly more?: string | undefined
  /** Each with what it is for. It works as it stands there, so that it has to stand in one line too. */
  readonly examples: ReadonlyArray<readonly [why: string, command: string]>
}

export const says =
  ({ line, also, more, examples }: Texts) =>
  <Name extends string, Input, ContextInput, E, R>(command: Command.Command<Name, Input, ContextInput, E, R>) =>
    command.pipe(
      Command.withDescription(
        `${line.charAt(0).toUpperCase()}${line.slice(1)}.${more === undefined ? "" : `\n\n  ${more}`}`
      ),
      Command.withShortDescription(also === undefined ? line : `${line}; ${also}`),
      Command.withExamples(
        examples.map(([description, command]) => ({ description, command: `${Paths.program} ${command}` }))
      )
    )

export const presenter: CliOutput.Presenter = {
  present: (event) => {
    const formatter = CliOutput.defaultFormatter({ colors: Screen.hasColors, globalFlags: "none" })
    switch (event._tag) {
      case "Version":
        return CliOutput.defaultPresenter.present(event)
      case "Help": {
        const text = wrapped(formatter.formatHelpDoc(shorter(event.helpDoc)))
        return event.reason === "Requested" ? Console.log(text) : Console.error(text)
      }
      case "InvalidInvocation": {
        const sentences = event.errors.map(({ message }) => `session-liveness: ${quoted(message)}`)
        return Console.error(
          [...sentences, `Try \`${[Paths.program, ...event.commandPath.slice(1)].join(" ")} --help\`.`].join("\n")
        )
      }
    }
  }
}

/** Without the list of shells in the column of the flags, which would leave no room for anything beside it. */
const shorter = ({ globalFlags = [], ...doc }: HelpDoc.HelpDoc): HelpDoc.HelpDoc => ({
  ...doc,
  globalFlags: globalFlags.map((flag) => (flag.name === "completions" ? { ...flag, type: "SHELL" } : flag))
})

/** Broken at the width of the terminal, or as for a usual one, under where each description begins. */
const wrapped = (help: string): string =>
  help
    .split("\n")
    .map((line) => {
      const [, before = "", rest = line] = /^( {2}\S.*? {2,}|\s*)(\S.*)$/.exec(line) ?? []
      return before + Table.wrap(rest, Screen.width ?? 80, Table.width(before))
    })
    .join("\n")

/** A message that quotes this command line, fit for a terminal whatever is on that. */
const quoted = (message: string): string =>
  process.argv
    .slice(2)
    .flatMap((arg) => [arg, ...arg.split("=")])
    .reduce((text, word) => (word === "" ? text : text.replaceAll(word, Screen.name(word))), message)
    .split("\n")
    .map(Screen.printable)
    .join("\n")
