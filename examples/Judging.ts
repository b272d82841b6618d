/**
 * What the programs that judge sessions and worktrees share: who asks, from where, and how the answer ends the process.
 */
import { NodeRuntime } from "@effect/platform-node"
import { Cause, Duration, Effect, Exit, Logger, Option, References, Result } from "effect"
import { Liveness, Observation, SessionStore, Text, TmuxProbe, WorkspaceClaims } from "session-liveness"
import { defaultRoot, layer, type Services } from "session-liveness/node"
import * as Cli from "./cli.ts"
import * as Manager from "./Manager.ts"

export const options = {
  ...Cli.root,
  caller: { type: "string" },
  dismiss: { type: "string", multiple: true },
  here: { type: "boolean" },
  socket: { type: "string", multiple: true }
} as const

/** For those that judge what no record claims. */
export const noManager = { "no-manager": { type: "boolean" } } as const

export const noManagerHelp =
  "  --no-manager    no manager keeps records here, so that none are expected; refused where they are"

export const help = `  --caller ID     the managed session that asks (default: the one in whose pane this program runs)
  --dismiss ID    do not count the claim of this record; may be given more than once
  --here          all sessions live in this container, so that its own namespaces are vantage enough
  --socket NAME   a tmux socket besides those in the socket directory, by path or by name within it; may be
                  given more than once
  --root DIR      where the stores lie (default: $TRUSTY_MPM_ROOT, else ~/.trusty-mpm)
  -h, --help      print this`

export interface Flags {
  readonly root?: string | undefined
  readonly caller?: string | undefined
  readonly dismiss?: ReadonlyArray<string> | undefined
  readonly here?: boolean | undefined
  readonly socket?: ReadonlyArray<string> | undefined
  readonly "no-manager"?: boolean | undefined
}

/**
 * What a person said about the claims. Without `--caller` the processes are asked, whose silence means that every claim
 * is another's.
 */
export const claimOptions = Effect.fnUntraced(function* ({ caller, dismiss }: Flags) {
  yield* tellUnknown([...(caller === undefined ? [] : [caller]), ...(dismiss ?? [])])
  const identified =
    caller ??
    Option.getOrUndefined(
      yield* WorkspaceClaims.identifyCaller.pipe(Effect.provideService(References.MinimumLogLevel, "None"))
    )
  return { caller: identified, dismiss } satisfies WorkspaceClaims.Options
})

/** An id that no record has changes nothing, which nobody means who names it. */
const tellUnknown = Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
  if (ids.length === 0) return
  const stored = yield* Effect.result(Effect.flatMap(SessionStore.SessionStore, (store) => store.read))
  if (Result.isFailure(stored)) return
  const { records, undecoded } = stored.success
  const known = new Set<string>([...records.map(({ id }) => id), ...undecoded.map(({ key }) => key)])
  for (const id of ids) if (!known.has(id)) tell(`no record has the id ${Text.escape(id)}`)
})

let program = ""
const told = new Set<string>()

/** Says each thing once, on stderr. */
const tell = (text: string): void => {
  if (!told.has(text)) Cli.log(program, text)
  told.add(text)
}

/** How often something could not be told, whatever program folded it. */
let warnings = 0

/** Whether anything that was looked at could not be told. */
export const warned = (): boolean => warnings > 0

/**
 * Runs a program to its exit code, with every service of the root. What it could not tell goes to stderr, each once.
 */
export const run = (
  name: string,
  { root, here = false, socket, "no-manager": noManager = false }: Flags,
  effect: Effect.Effect<number, never, Services>
): void => {
  if (noManager) Manager.mustNotBeThere(defaultRoot(root))
  program = name
  const toStderr = Logger.make<unknown, void>(({ message }) => {
    warnings++
    tell(String(message))
  })
  effect.pipe(
    noManager ? Effect.provide(SessionStore.layerNone) : (self) => self,
    Effect.provide(layer({ root, sockets: socket, vantage: here ? "here" : "host" })),
    Effect.provideService(References.CurrentLoggers, new Set([toStderr])),
    Effect.provideService(References.MinimumLogLevel, "Warn"),
    NodeRuntime.runMain({
      disableErrorReporting: true,
      // A look that could not be interrupted must not keep the process.
      teardown: (exit) => process.exit(exitCodeOf(name, exit))
    })
  )
}

const interrupted = 130

const exitCodeOf = (name: string, exit: Exit.Exit<unknown, unknown>): number => {
  if (Exit.isSuccess(exit)) return typeof exit.value === "number" ? exit.value : 0
  if (Cause.hasInterruptsOnly(exit.cause)) return interrupted
  Cli.err(`${name}: ${Cli.reasonOf(Cause.squash(exit.cause))}`)
  return 1
}

/** A path as it was given, made absolute without resolving `..`, which may lead out of where a link points. */
export const absolute = (path: string): string => {
  const whole = path.startsWith("/") ? path : `${process.cwd()}/${path}`
  const segments = whole.split("/").filter((segment) => segment !== "" && segment !== ".")
  return `/${segments.join("/")}`
}

/** The claims, the records that they were judged by, and what it took to look. */
export const gather = Effect.fnUntraced(function* (flags: Flags) {
  const options = yield* claimOptions(flags)
  const stored = yield* Effect.flatMap(SessionStore.SessionStore, (store) => Effect.result(store.read))
  const asked = new Set<string>()
  const [took, claims] = yield* WorkspaceClaims.workspaceClaims(options).pipe(
    Effect.provideService(SessionStore.SessionStore, { read: Effect.fromResult(stored) }),
    // Why the records could not be read is what these programs print.
    Result.isFailure(stored) ? Effect.provideService(References.MinimumLogLevel, "None") : (self) => self,
    Effect.updateService(TmuxProbe.TmuxProbe, (probe) => ({
      ...probe,
      ask: (socket) => {
        asked.add(socket)
        return probe.ask(socket)
      }
    })),
    Effect.timed
  )
  return {
    claims,
    stored: Result.getOrUndefined(stored),
    socketsAsked: asked.size,
    milliseconds: Math.round(Duration.toMillis(took))
  }
})

/** What one look gave. */
export type Gathered = Effect.Success<ReturnType<typeof gather>>

/** What was seen of tmux, as a line or two. */
export const observationText = ({ claims: { observation }, stored, socketsAsked, milliseconds }: Gathered): string => {
  if (stored === undefined) return "tmux was not asked, because the records could not be read."
  const effort = `${count(socketsAsked, "socket")} asked, ${milliseconds} ms`
  if (observation._tag === "Unobserved") {
    const { what, settle } = Observation.explain(observation.reason)
    return `tmux was not observed (${effort}), so every session counts as live: ${Cli.printable(what)}\nTo settle it, ${Cli.printable(settle)}.`
  }
  const pids = observation.servers.map(({ pid }) => pid).join(", ")
  return `tmux: ${count(observation.servers.length, "server")} heard${pids === "" ? "" : ` (pid ${pids})`}, ${effort}`
}

/** The same as data. */
export const observationJson = ({ claims: { observation }, socketsAsked, milliseconds }: Gathered) => ({
  ...(observation._tag === "Answered"
    ? { answered: true, servers: observation.servers, names: observation.names }
    : { answered: false, reason: observation.reason._tag, ...Observation.explain(observation.reason) }),
  socketsAsked,
  milliseconds
})

/** Why a session counts as it does. */
export const whyOf = (liveness: Liveness.Liveness): { readonly what: string; readonly settle?: string } =>
  Liveness.$match(liveness, {
    SessionGone: () => ({ what: "no tmux server lists it" }),
    Live: ({ because }) => Liveness.explain(because)
  })

export const count = (many: number, what: string): string => `${many} ${what}${many === 1 ? "" : "s"}`
