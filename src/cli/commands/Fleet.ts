/**
 * Every host of a fleet that keeps its stores in one database.
 */
import { Effect, Layer, Option, Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import { Fleet } from "../../sql/index.ts"
import * as Ages from "../Ages.ts"
import * as ExitCode from "../ExitCode.ts"
import * as Judging from "../Judging.ts"
import * as Screen from "../Screen.ts"
import * as Table from "../Table.ts"

const database = Flag.String("database").pipe(
  Flag.optional,
  Flag.map(Option.getOrUndefined),
  Flag.withMetavar("URL"),
  Flag.withDescription("the PostgreSQL of the fleet, postgres://USER@HOST/NAME (default: $DATABASE_URL)")
)

const watch = Judging.toggle("watch", "look again every five seconds, until Ctrl-C")

export const fleet = Command.make("fleet", { database, watch, json: Judging.json }, ({ database, watch, json }) => {
  const look = Effect.map(Fleet.overview, (fleet) => {
    if (fleet._tag === "Unknown") return { isRead: true, code: ExitCode.refused }
    const { hosts, sums } = fleet.value
    const clear = watch && !json ? Screen.wipe : ""
    const isRead = json ? hosts.map(jsonOf).every((line) => Screen.out(line)) : Screen.out(clear + text(fleet.value))
    return { isRead, code: sums.silent > 0 ? ExitCode.refused : ExitCode.done }
  })
  const watching = Effect.gen(function* () {
    for (;;) {
      const { isRead, code } = yield* look
      if (!isRead) return code
      yield* Effect.sleep("5 seconds")
    }
  })
  const client = Layer.unwrap(
    Effect.gen(function* () {
      const url = database ?? process.env["DATABASE_URL"] ?? ""
      if (url === "") return yield* ExitCode.wrong("no database is named; give --database URL, or set DATABASE_URL")
      // Loaded here alone: no other command needs it.
      const PgClient = yield* Effect.promise(() => import("@effect/sql-pg/PgClient"))
      return PgClient.layer({ url: Redacted.make(url), maxConnections: 1 })
    })
  )
  return Judging.logged(ExitCode.end(watch ? watching : Effect.map(look, ({ code }) => code))).pipe(
    Effect.provide(client)
  )
}).pipe(
  Command.withDescription(
    "Every host of a fleet that keeps its stores in one PostgreSQL: when it was heard last, its sessions, and what is reclaimable there. A host that has been silent for a minute counts in no sum. Exits with 1 where one is silent."
  ),
  Command.withShortDescription("every host's sessions, and what is reclaimable there; --watch")
)

const jsonOf = ({ heartbeat, ...host }: Fleet.Host): string =>
  Screen.json({ ...host, ...(heartbeat._tag === "Known" ? heartbeat.value : { unknown: heartbeat.reason }) })

const columns: ReadonlyArray<Table.Column> = [
  { title: "", style: (word) => (word === "silent" ? Screen.red : Screen.green)(word) },
  { title: "host", share: 0.4 },
  { title: "heard" },
  { title: "records" },
  { title: "live" },
  { title: "gone" },
  { title: "reclaimable" }
]

const cells = ({ host, records, ageMs, silent, heartbeat }: Fleet.Host): ReadonlyArray<string> => {
  const start = [silent ? "silent" : "heard", Screen.name(host), ageMs === null ? "never" : `${Ages.text(ageMs)} ago`]
  if (heartbeat._tag === "Unknown") return [...start, String(records), "?", "?", heartbeat.reason]
  const { sessions, reclaimable } = heartbeat.value
  const gone = Object.values(sessions).filter((session) => session.gone).length
  return [
    ...start,
    String(records),
    String(Object.keys(sessions).length - gone),
    String(gone),
    reclaimable === null ? "not surveyed" : String(reclaimable.length)
  ]
}

const text = ({ hosts, sums }: Fleet.Overview): string =>
  [
    ...(hosts.length > 0 ? Table.lines(columns, hosts.map(cells), Screen.width) : ["No host is known."]),
    "",
    `${Judging.count(sums.hosts, "host")}, ${sums.silent} silent; ${Judging.count(sums.records, "record")}; of those heard ${sums.live} live and ${sums.gone} gone, ${Judging.count(sums.reclaimable, "worktree")} reclaimable.`
  ].join("\n")
