/**
 * What the service is told: by a flag, else by the environment, else a default.
 */
import { Config, ConfigProvider, Data, Duration, Effect, Schema } from "effect"
import { defaultRoot } from "session-liveness/node"
import * as path from "node:path"
import * as Cli from "../cli.ts"

export const flags = {
  ...Cli.root,
  socket: { type: "string" },
  repositories: { type: "string" },
  interval: { type: "string" },
  quiet: { type: "string" },
  vantage: { type: "string" },
  "log-level": { type: "string" }
} as const

export const help = `  --root DIR          where the stores lie (default: $TRUSTY_MPM_ROOT, else ~/.trusty-mpm)
  --socket PATH       where it listens (default: service/socket in the root); its directory is its owner's alone
  --repositories A:B  whose worktrees it surveys by itself (default: none)
  --interval TIME     how often (default: "10 minutes")
  --quiet TIME        how long nothing must have happened in a worktree (default: "24 hours")
  --vantage here      all sessions live in this container
  --log-level Debug   log every span, too
Each may be in the environment instead: SESSION_LIVENESS_SOCKET, SESSION_LIVENESS_LOG_LEVEL and so on.`

const config = (root: string) =>
  Config.all({
    socket: Config.NonEmptyString("socket").pipe(Config.withDefault(path.join(root, "service", "socket"))),
    repositories: Config.Array(Schema.NonEmptyString, "repositories", { separator: ":" }).pipe(Config.withDefault([])),
    interval: Config.Duration("interval").pipe(Config.withDefault(Duration.minutes(10))),
    quiet: Config.Duration("quiet").pipe(Config.withDefault(Duration.hours(24)), Config.map(Duration.toMillis)),
    vantage: Config.Literals(["host", "here"], "vantage").pipe(Config.withDefault("host")),
    logLevel: Config.LogLevel("log-level").pipe(Config.withDefault("Info"))
  })

export const load = Effect.fnUntraced(function* (given: Readonly<Record<string, unknown>>) {
  const environment = ConfigProvider.fromEnv().pipe(
    ConfigProvider.constantCase,
    ConfigProvider.nested("SESSION_LIVENESS")
  )
  const provider = ConfigProvider.orElse(ConfigProvider.fromUnknown({ ...given }), environment)
  return yield* Effect.gen(function* () {
    const root = defaultRoot(yield* Config.String("root").pipe(Config.withDefault("")).parse(provider))
    const settings = yield* config(root).parse(provider)
    return { ...settings, root, socket: path.resolve(settings.socket) }
  }).pipe(Effect.mapError(({ cause }) => new Wrong({ message: sentenceOf(String(cause.message)) })))
})

/** A setting that cannot be meant. */
export class Wrong extends Data.TaggedError("Wrong")<{ readonly message: string }> {}

/** Of what a schema says, which takes a line for what was expected and one for where. */
const sentenceOf = (message: string): string => {
  const [expected = "", at = ""] = message.split("\n")
  const name = /\["([^"]+)"\]/.exec(at)?.[1]
  return name === undefined
    ? message.replaceAll(/\s+/g, " ")
    : `--${name}, or SESSION_LIVENESS_${name.toUpperCase().replaceAll("-", "_")}: ${expected.replace("Expected", "expected")}.`
}

export type Settings = Effect.Success<ReturnType<typeof load>>
