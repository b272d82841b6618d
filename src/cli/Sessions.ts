/**
 * The recorded sessions: whether each is live and why, where it is shown, and whether an agent runs in it.
 */
import { Effect, References, Result } from "effect"
import {
  ClaudeRegistry,
  type LiveClaims,
  Liveness,
  type Observation,
  Observation as Observations,
  SessionOwners,
  SessionRecord,
  SessionStore,
  Text,
  TmuxProbe,
  WorkspaceClaims
} from "../internal.ts"
import * as Judging from "./Judging.ts"
import * as Paths from "./Paths.ts"
import * as Screen from "./Screen.ts"
import * as Table from "./Table.ts"

/** One recorded session as it is shown. */
export interface Row {
  readonly session: string
  readonly tmuxName: string | null
  readonly workspace: string | null
  readonly liveness: "Live" | "SessionGone"
  readonly because: string | null
  readonly what: string
  readonly settle: string | null
  readonly caller: boolean
  readonly dismissed: boolean
  /** The panes that show it, or `null` where tmux was not observed. */
  readonly panes: ReadonlyArray<string> | null
  /** Whether an agent is registered for one of its ids. */
  readonly agent: ReturnType<typeof ClaudeRegistry.processOf>
}

/** What one look gave. */
export interface Seen {
  readonly claims: LiveClaims.LiveClaims
  readonly rows: ReadonlyArray<Row>
}

export const look = Effect.fnUntraced(function* (flags: Judging.Flags) {
  const options = yield* Judging.claimOptions(flags)
  const stored = yield* Effect.flatMap(SessionStore.SessionStore, (store) => Effect.result(store.read))
  const [claims, panes] = yield* Effect.all(
    [
      WorkspaceClaims.workspaceClaims(options).pipe(
        Effect.provideService(SessionStore.SessionStore, { read: Effect.fromResult(stored) }),
        // Why nothing was observed is what this command prints.
        Effect.provideService(References.MinimumLogLevel, "None")
      ),
      panesBySession
    ],
    { concurrency: "unbounded" }
  )
  const { records, undecoded } = Result.getOrElse(stored, () => SessionRecord.none)
  const known = [
    ...records.map(({ id, tmuxName, workspacePath }) => ({ session: id as string, tmuxName, workspacePath })),
    ...undecoded.map(({ key, workspacePath }) => ({ session: key, tmuxName: null, workspacePath }))
  ]
  const rows = known.flatMap(({ session, tmuxName, workspacePath }): ReadonlyArray<Row> => {
    const liveness = claims.owners.owners?.get(session)
    if (liveness === undefined) return []
    return [
      {
        session,
        tmuxName,
        workspace: workspacePath ?? null,
        ...saying(liveness),
        caller: session === claims.caller,
        dismissed: claims.dismissed.includes(session),
        panes: claims.observation._tag === "Answered" ? (panes.get(tmuxName ?? "") ?? []) : null,
        agent: agentOf(claims, session)
      }
    ]
  })
  return { claims, rows: rows.sort((a, b) => Text.compare(a.session, b.session)) } satisfies Seen
})

const saying = (liveness: Liveness.Liveness) =>
  Liveness.$match(liveness, {
    SessionGone: () => ({
      liveness: "SessionGone" as const,
      because: null,
      what: "no tmux server lists it",
      settle: null
    }),
    Live: ({ because }) => ({ liveness: "Live" as const, because: because._tag, ...Liveness.explain(because) })
  })

const agentOf = ({ owners }: LiveClaims.LiveClaims, session: string): Row["agent"] =>
  ClaudeRegistry.processOf(owners.registry, SessionOwners.idsOf(owners, session), owners.history._tag === "Unreadable")

const panesBySession = Effect.gen(function* () {
  const probe = yield* TmuxProbe.TmuxProbe
  const sockets = yield* Effect.orElseSucceed(probe.sockets, () => [])
  const none: ReadonlyArray<Observation.Pane> = []
  const answers = yield* Effect.forEach(sockets, (socket) => Effect.orElseSucceed(probe.panes(socket), () => none), {
    concurrency: 8
  })
  return new Map(
    Array.from(
      Map.groupBy(answers.flat(), ({ session }) => session),
      ([session, panes]) => [session, panes.map(({ id }) => id)]
    )
  )
})

const columns: ReadonlyArray<Table.Column> = [
  { title: "", style: (word) => (word === "live" ? Screen.green : Screen.dim)(word) },
  { title: "session", share: 0.2 },
  { title: "tmux", share: 0.2 },
  { title: "agent" },
  { title: "workspace", cut: "start", share: 0.3 },
  { title: "why" }
]

const agents: Readonly<Record<Row["agent"], string>> = { Alive: "runs", None: "none", Unread: "?", NotConsulted: "?" }

const cells = (row: Row): ReadonlyArray<string> => [
  row.caller || row.liveness === "Live" ? "live" : "gone",
  Screen.name(row.session),
  [Screen.name(row.tmuxName ?? "?"), ...(row.panes ?? ["?"])].join(" "),
  agents[row.agent],
  row.workspace === null ? "-" : Paths.shown(row.workspace),
  [...(row.dismissed ? ["dismissed"] : []), row.caller ? "the caller" : briefly(row)].join("; ")
]

/** The line below the table says already why nothing was observed. */
const briefly = ({ because, what }: Row): string =>
  Screen.printable(because === "Unobserved" ? "tmux was not observed" : what)

/** A look for a person. */
export const text = ({ claims, rows }: Seen): string => {
  const { observation, incomplete } = claims
  return [
    ...(rows.length > 0 ? Table.lines(columns, rows.map(cells), Screen.width) : ["No session is recorded."]),
    "",
    // Without records nothing was observed.
    ...(incomplete === undefined ? [] : [`Every removal is refused: ${Screen.printable(incomplete)}`]),
    ...(claims.owners.owners === null ? [] : [observed(observation)])
  ].join("\n")
}

const observed = (observation: Observation.Observation): string => {
  if (observation._tag === "Answered") {
    const pids = observation.servers.map(({ pid }) => pid).join(", ")
    return `${Judging.count(observation.servers.length, "tmux server")} heard${pids === "" ? "" : ` (pid ${pids})`}.`
  }
  const { what, settle } = Observations.explain(observation.reason)
  return Screen.printable(
    `tmux was not observed, so that every session counts as live: ${what}. To settle it, ${settle}.`
  )
}
