/**
 * What the commands that judge sessions and worktrees share: who asks, from where, and what a person said about claims.
 */
import { Effect, Layer, Logger, Option, References, Result } from "effect"
import { Flag } from "effect/cli"
import { existsSync } from "node:fs"
import { Root, SessionName, SessionStore, Text, WorkspaceClaims } from "../internal.ts"
import { defaultRoot, layer, type Services } from "../node/index.ts"
import * as Advice from "./Advice.ts"
import * as ExitCode from "./ExitCode.ts"
import * as Progress from "./Progress.ts"
import * as Screen from "./Screen.ts"
import * as Table from "./Table.ts"

export const optional = (name: string, metavar: string, description: string) =>
  Flag.String(name).pipe(
    Flag.optional,
    Flag.map(Option.getOrUndefined),
    Flag.withMetavar(metavar),
    Flag.withDescription(description)
  )

export const several = (name: string, metavar: string, description: string) =>
  Flag.String(name).pipe(
    Flag.atLeast(0),
    Flag.withMetavar(metavar),
    Flag.withDescription(`${description}; may be given more than once`)
  )

export const toggle = (name: string, description: string): Flag.Flag<boolean> =>
  Flag.Boolean(name).pipe(Flag.withDefault(false), Flag.withoutNegation, Flag.withDescription(description))

/** For the commands that read or write the stores of a root. */
export const root = optional("root", "DIR", "where the stores lie (default: $TRUSTY_MPM_ROOT, else ~/.trusty-mpm)")

export const json = toggle("json", "print one JSON object a line, with the fields that src/cli/README.md lists")

export const noManager = toggle("no-manager", "no manager keeps records here; refused where there are some")

/** For the commands that judge sessions. */
export const flags = {
  caller: optional("caller", "ID", "the managed session that asks (default: the one in whose pane this command runs)"),
  dismiss: several(
    "dismiss",
    "ID",
    "do not count the claim of this record, nor a tmux session or a root of that name as a sign of another manager"
  ),
  prefix: several(
    "prefix",
    "TEXT",
    "the names of managed tmux sessions begin with this, instead of the known prefixes"
  ),
  socket: several("socket", "NAME", "a tmux socket besides those in the socket directory, by path or by name"),
  here: toggle("here", "all sessions live in this container, so that its own namespaces are enough"),
  noManager,
  root
}

export interface Flags {
  readonly root: string | undefined
  readonly noManager: boolean
  readonly caller?: string | undefined
  readonly dismiss?: ReadonlyArray<string> | undefined
  readonly prefix?: ReadonlyArray<string> | undefined
  readonly socket?: ReadonlyArray<string> | undefined
  readonly here?: boolean | undefined
}

/**
 * What a person said about the claims. Without `--caller` the processes are asked; if they do not say, every claim is
 * another session's.
 */
export const claimOptions = Effect.fnUntraced(function* ({ caller, dismiss = [], prefix = [] }: Flags) {
  yield* warnUnknown([...(caller === undefined ? [] : [caller]), ...dismiss])
  const identified =
    caller ??
    Option.getOrUndefined(
      yield* WorkspaceClaims.identifyCaller.pipe(Effect.provideService(References.MinimumLogLevel, "None"))
    )
  return {
    caller: identified,
    dismiss,
    prefixes: prefix.length === 0 ? undefined : prefix
  } satisfies WorkspaceClaims.Options
})

/** An id that no record has changes nothing, which nobody means who names it. Also a tmux session or a root may be dismissed. */
const warnUnknown = Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
  if (ids.length === 0) return
  const stored = yield* Effect.result(Effect.flatMap(SessionStore.SessionStore, (store) => store.read))
  if (Result.isFailure(stored)) return
  const { records, undecoded } = stored.success
  const known = new Set<string>([...records.map(({ id }) => id), ...undecoded.map(({ key }) => key)])
  for (const id of ids) {
    if (!known.has(id) && !SessionName.isManaged(id) && !id.startsWith("/")) {
      say(`no record has the id ${Text.escape(id)}`)
    }
  }
})

const said = new Set<string>()

/** Says each thing once, on stderr. */
export const say = (text: string): void => {
  if (!said.has(text)) {
    Progress.wipe()
    Screen.err(`session-liveness: ${text}`)
  }
  said.add(text)
}

/** What holds for every verdict: below an answer that a person reads, else beside it. */
export const note = (notes: ReadonlyArray<string>, isBelow: boolean): void => {
  for (const text of notes) {
    if (isBelow) Screen.out(Screen.dim(Table.wrap(Screen.printable(`Note: ${text}.`), Screen.width, 0)))
    else say(`note: ${text}`)
  }
}

let warnings = 0

/** Whether anything could not be determined, whichever program of the library folded it. */
export const warned = (): boolean => warnings > 0

/** Effect's own logger prints to stdout, which is for answers. */
const toStderr = Logger.make<unknown, void>(({ message }) => {
  warnings++
  const text = String(message)
  // One cause is folded by several programs; to say it once is enough.
  const [, cause = text] = /^.*?: (.*)$/s.exec(text) ?? []
  if (![...said].some((earlier) => earlier.includes(cause))) say(text)
})

/** Whether a manager keeps records in a root. */
export const hasStore = (root: string | undefined): boolean => existsSync(Root.store(defaultRoot(root)))

/** Runs a command with every service of the root. */
export const run = <E, R>(
  told: Advice.Told,
  command: Effect.Effect<number, E, R>
): Effect.Effect<void, E | ExitCode.Ended | ExitCode.WrongUsage, Exclude<R, Services | SessionStore.SessionStore>> => {
  const { root, here = false, socket, noManager = false } = told
  Advice.remember(told)
  if (noManager && hasStore(root)) {
    return ExitCode.wrong(`--no-manager, but ${Root.store(defaultRoot(root))} is there; leave the flag out`)
  }
  const services = layer({ root, sockets: socket, vantage: here ? "here" : "host" })
  return logged(
    Effect.provide(ExitCode.end(command), noManager ? Layer.merge(services, SessionStore.layerNone) : services)
  )
}

/** Warnings go to stderr, each once. */
export const logged = <A, E, R>(command: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  command.pipe(
    Effect.provideService(References.CurrentLoggers, new Set([toStderr])),
    Effect.provideService(References.MinimumLogLevel, "Warn")
  )

/** `1 of 3 worktrees`. */
export const countOf = (some: number, many: number, what: string): string => `${some} of ${many} ${what}s`

/** `3 worktrees`. */
export const count = (many: number, what: string): string => `${many} ${what}${many === 1 ? "" : "s"}`
