/**
 * Every host of a fleet that keeps its stores in one database.
 */
import { Effect } from "effect"
import { Command } from "effect/cli"
import { DiskUsage } from "../../internal.ts"
import { Fleet } from "../../sql/index.ts"
import * as Ages from "../Ages.ts"
import * as Database from "../Database.ts"
import * as ExitCode from "../ExitCode.ts"
import * as Help from "../Help.ts"
import * as Judging from "../Judging.ts"
import * as Screen from "../Screen.ts"
import * as Table from "../Table.ts"
import { beat, migration } from "./Beat.ts"

const watch = Judging.toggle("watch", "look again every five seconds, until Ctrl-C")

const show = Command.make(
  "fleet",
  { database: Database.flag, watch, json: Judging.json },
  ({ database, watch, json }) => {
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
    return Judging.logged(ExitCode.end(watch ? watching : Effect.map(look, ({ code }) => code))).pipe(
      Effect.provide(Database.connect(database))
    )
  }
)

export const fleet = show.pipe(
  Help.says({
    line: "every host's sessions, and what is reclaimable there",
    also: "--watch",
    more: "The hosts of a fleet keep their stores in one PostgreSQL. It says when each was heard last. A host that has been silent for a minute counts in no sum. Exits with 1 where one is silent.",
    examples: [
      ["the fleet of $DATABASE_URL", "fleet"],
      ["another one", "fleet --database postgres://me@localhost/fleet"]
    ]
  }),
  Command.withSubcommands([{ group: "Subcommands", commands: [beat, migration] }])
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
    reclaimable === null ? "not surveyed" : worktrees(reclaimable)
  ]
}

/** `3, 1.2 GiB`. */
const worktrees = (reclaimable: Parameters<typeof Fleet.bytesOf>[0]): string => {
  const bytes = Fleet.bytesOf(reclaimable)
  return bytes === 0 ? String(reclaimable.length) : `${reclaimable.length}, ${DiskUsage.format(bytes)}`
}

const text = ({ hosts, sums }: Fleet.Overview): string => {
  const { lines, more } = where(hosts)
  return [
    ...(hosts.length > 0 ? Table.lines(columns, hosts.map(cells), Screen.width) : ["No host is known."]),
    "",
    ...(lines.length > 0 ? [...lines, ...more, ""] : []),
    `${Judging.count(sums.hosts, "host")}, ${sums.silent} silent; ${Judging.count(sums.records, "record")}; of those heard ${sums.live} live and ${sums.gone} gone, ${Judging.count(sums.reclaimable, "worktree")} reclaimable${sums.reclaimableBytes > 0 ? `, ${DiskUsage.format(sums.reclaimableBytes)}` : ""}.`
  ].join("\n")
}

/** How many worktrees are named; `--json` names all. */
const most = 20

const whereColumns: ReadonlyArray<Table.Column> = [
  { title: "reclaimable on", share: 0.3 },
  { title: "size" },
  { title: "worktree", cut: "start" }
]

/** The largest of what is reclaimable, and on which host. */
const where = (hosts: ReadonlyArray<Fleet.Host>) => {
  const all = hosts.flatMap(({ host, silent, heartbeat }) =>
    silent || heartbeat._tag === "Unknown" ? [] : (heartbeat.value.reclaimable ?? []).map((tree) => ({ host, ...tree }))
  )
  const rows = all
    .sort((a, b) => (b.bytes ?? 0) - (a.bytes ?? 0))
    .slice(0, most)
    .map(({ host, path, bytes }) => [
      Screen.name(host),
      bytes === null ? "?" : DiskUsage.format(bytes),
      Screen.name(path)
    ])
  return {
    lines: rows.length === 0 ? [] : Table.lines(whereColumns, rows, Screen.width),
    more: all.length > most ? [`and ${all.length - most} more; --json names them all`] : []
  }
}
