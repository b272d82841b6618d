/**
 * The command `session-liveness`, on whichever platform it is run.
 */
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Effect } from "effect"
import { CliConfig, CliOutput, Command, GlobalFlag } from "effect/cli"
import packageJson from "../../package.json" with { type: "json" }
import * as Platform from "../machine/Platform.ts"
import { check } from "./commands/Check.ts"
import { doctor } from "./commands/Doctor.ts"
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
import * as Help from "./Help.ts"

const main = Command.make("session-liveness").pipe(
  Help.says({
    line: "says which git worktrees may go, and which session ids are one session",
    more: "Nothing is taken that a live session may need, and nothing is deleted before it has lain out of the way for days.",
    examples: [
      ["what may go of the repository around the working directory", "sweep"],
      ["what that looks like, on a repository of its own", "tour"]
    ]
  }),
  Command.withSubcommands([
    { group: "Worktrees", commands: [sweep, explain, check, list, restore, expire] },
    { group: "Sessions", commands: [sessions, adopt, release, links, fleet] },
    { group: "This machine", commands: [doctor, setup, tour] }
  ])
)

export const run = (platform?: Platform.Platform): void =>
  Command.runWith(main, { version: packageJson.version })(process.argv.slice(2)).pipe(
    Effect.provideService(CliOutput.Presenter, Help.presenter),
    Effect.provideService(CliConfig.CliConfig, {
      builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions]
    }),
    platform === undefined ? (command) => command : Effect.provideService(Platform.Platform, platform),
    Effect.provide(NodeServices.layer),
    NodeRuntime.runMain({
      disableErrorReporting: true,
      // A look that could not be interrupted must not keep the process.
      teardown: (exit) => process.exit(ExitCode.of(exit))
    })
  )
