/**
 * What effect/cli presents: an answer on stdout, wrong usage on stderr with the way to the help rather than all of it.
 */
import { Console } from "effect"
import { CliOutput } from "effect/cli"
import * as Paths from "./Paths.ts"
import * as Screen from "./Screen.ts"
import * as Table from "./Table.ts"

export const presenter: CliOutput.Presenter = {
  present: (event) => {
    const formatter = CliOutput.defaultFormatter({ colors: Screen.hasColors, globalFlags: "none" })
    switch (event._tag) {
      case "Version":
        return CliOutput.defaultPresenter.present(event)
      case "Help": {
        const text = wrapped(formatter.formatHelpDoc(event.helpDoc))
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

/** Broken at the width of the terminal, under where each description begins. */
const wrapped = (help: string): string =>
  help
    .split("\n")
    .map((line) => {
      const [, before = "", rest = line] = /^( {2}\S.*? {2,}|\s*)(\S.*)$/.exec(line) ?? []
      return before + Table.wrap(rest, Screen.width, Table.width(before))
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
