/**
 * The command `session-liveness`.
 */
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Effect } from "effect"
import { CliConfig, CliOutput, Command, GlobalFlag } from "effect/cli"
import packageJson from "../../package.json" with { type: "json" }
import { check } from "./commands/Check.ts"
import { expire } from "./commands/Expire.ts"
import { explain } from "./commands/Explain.ts"
import { fleet } from "./commands/Fleet.ts"
import { links } from "./commands/Links.ts"
import { list } from "./commands/List.ts"
import { adopt, release } from "./commands/Owners.ts"
import { restore } from "./commands/Restore.ts"
import { sessions } from "./commands/Sessions.ts"
import { setup } from "./commands/Setup.ts"
import { sweep } from "./commands/Sweep.ts"
import { tour } from "./commands/Tour.ts"
import * as ExitCode from "./ExitCode.ts"
import * as Screen from "./Screen.ts"

const main = Command.make("session-liveness").pipe(
  Command.withDescription(
    "Which git worktrees does nobody need any more? Which agent session ids are one managed session? Nothing is taken that a live session may need, and nothing is deleted before it has lain out of the way for days."
  ),
  Command.withSubcommands([
    { group: "Worktrees", commands: [sweep, explain, check, list, restore, expire] },
    { group: "Sessions", commands: [sessions, adopt, release, links, fleet] },
    { group: "This machine", commands: [setup, tour] }
  ])
)

/** An answer goes to stdout, wrong usage to stderr, with the way to the help rather than all of it. */
const presenter: CliOutput.Presenter = {
  present: (event) => {
    if (event._tag !== "InvalidInvocation") {
      return event._tag === "Help" && event.reason === "Implicit"
        ? Console.error(CliOutput.defaultFormatter({ globalFlags: "none" }).formatHelpDoc(event.helpDoc))
        : CliOutput.defaultPresenter.present(event)
    }
    const sentences = event.errors.map(({ message }) => `session-liveness: ${quoted(message)}`)
    return Console.error([...sentences, `Try \`${event.commandPath.join(" ")} --help\`.`].join("\n"))
  }
}

/** A message that quotes this command line, fit for a terminal whatever is on that. */
const quoted = (message: string): string =>
  process.argv
    .slice(2)
    .flatMap((arg) => [arg, ...arg.split("=")])
    .reduce((text, word) => (word === "" ? text : text.replaceAll(word, Screen.name(word))), message)
    .split("\n")
    .map(Screen.printable)
    .join("\n")

Command.runWith(main, { version: packageJson.version })(process.argv.slice(2)).pipe(
  Effect.provideService(CliOutput.Presenter, presenter),
  Effect.provideService(CliConfig.CliConfig, {
    builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions]
  }),
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain({
    disableErrorReporting: true,
    // A look that could not be interrupted must not keep the process.
    teardown: (exit) => process.exit(ExitCode.of(exit))
  })
)
