#!/usr/bin/env node
/**
 * Who holds which workspace, and whether they are still there.
 */
import { Effect } from "effect"
import { Liveness, SessionRecord, Text } from "session-liveness"
import * as Cli from "./cli.ts"
import * as Judging from "./Judging.ts"
import * as Table from "./Table.ts"

const help = `claims: shows every stored session with its workspace, and whether it counts as live and why

Usage: node examples/claims.ts [--watch] [--wide] [--json] [--caller ID] [--dismiss ID] [--here] [--socket NAME]
                               [--no-manager] [--root DIR]

  --watch         look again every two seconds, until Ctrl-C
  --wide          cut nothing, whatever the width of the terminal; a pipe counts as 100 columns
  --json          print each look as one line of JSON
${Judging.help}
${Judging.noManagerHelp}

A session is gone only on positive evidence; whatever cannot be told leaves it live. The first line says what
was seen of tmux, or why nothing was and what would settle it.

Exit codes: 0 shown; 1 tmux was not observed, or the records are not whole; 2 wrong usage; 130 interrupted.`

const flags = Cli.flags(help, {
  ...Judging.options,
  ...Judging.noManager,
  watch: { type: "boolean" },
  wide: { type: "boolean" },
  json: { type: "boolean" }
})
const { watch = false, wide = false, json = false } = flags

const clearScreen = "\u001b[2J\u001b[3J\u001b[H"
const pause = "2 seconds"

/** One record as it is shown. */
interface Row {
  readonly session: string
  readonly tmuxName: string | null
  readonly workspace: string | null
  readonly liveness: Liveness.Liveness
  readonly caller: boolean
  readonly dismissed: boolean
}

const rowsOf = ({ claims, stored }: Judging.Gathered): ReadonlyArray<Row> => {
  const { records, undecoded } = stored ?? SessionRecord.none
  const known = [
    ...records.map(({ id, tmuxName, workspacePath }) => ({ session: id as string, tmuxName, workspacePath })),
    ...undecoded.map(({ key, workspacePath }) => ({ session: key, tmuxName: null, workspacePath }))
  ]
  return known
    .flatMap(({ workspacePath, ...record }) => {
      const liveness = claims.owners.owners?.get(record.session)
      return liveness === undefined
        ? []
        : [
            {
              ...record,
              workspace: workspacePath ?? null,
              liveness,
              caller: record.session === claims.caller,
              dismissed: claims.dismissed.includes(record.session)
            }
          ]
    })
    .sort((a, b) => Text.compare(a.session, b.session))
}

const columns: ReadonlyArray<Table.Column> = [
  { title: "session", share: 0.2 },
  { title: "tmux name", share: 0.2 },
  { title: "workspace", cut: "start", share: 0.3 },
  { title: "liveness" },
  { title: "why" }
]

const cellsOf = ({ session, tmuxName, workspace, liveness, caller, dismissed }: Row): ReadonlyArray<string> => [
  Text.escape(session),
  Text.escape(tmuxName ?? "?"),
  Text.escape(workspace ?? "none"),
  caller || Liveness.$is("Live")(liveness) ? "live" : "gone",
  [...(dismissed ? ["dismissed"] : []), caller ? "the caller" : Cli.printable(briefly(liveness))].join("; ")
]

/** The line on top says already why nothing was observed. */
const briefly = (liveness: Liveness.Liveness): string =>
  Liveness.$is("Live")(liveness) && liveness.because._tag === "Unobserved"
    ? "tmux was not observed"
    : Judging.whyOf(liveness).what

const jsonOf = (gathered: Judging.Gathered) => ({
  observation: Judging.observationJson(gathered),
  incomplete: gathered.claims.incomplete ?? null,
  sessions: rowsOf(gathered).map(({ liveness, ...row }) => ({
    ...row,
    liveness: liveness._tag,
    because: Liveness.$is("Live")(liveness) ? liveness.because._tag : null,
    ...Judging.whyOf(liveness)
  }))
})

const textOf = (gathered: Judging.Gathered): string => {
  const rows = rowsOf(gathered)
  const table =
    rows.length === 0
      ? ["No session is recorded."]
      : Table.lines(columns, rows.map(cellsOf), wide ? undefined : Table.terminal())
  const { incomplete } = gathered.claims
  return [
    Judging.observationText(gathered),
    ...(incomplete === undefined ? [] : [`Every removal is refused: ${Cli.printable(incomplete)}`]),
    "",
    ...(incomplete !== undefined && rows.length === 0 ? [] : table)
  ]
    .join("\n")
    .trimEnd()
}

const look = Effect.gen(function* () {
  const gathered = yield* Judging.gather(flags)
  const text = json ? Cli.json(jsonOf(gathered)) : textOf(gathered)
  const clear = watch && !json && process.stdout.isTTY ? clearScreen : ""
  const read = Cli.out(clear + text)
  const { observation, incomplete } = gathered.claims
  return { read, code: observation._tag === "Unobserved" || incomplete !== undefined ? 1 : 0 }
})

const watching = Effect.gen(function* () {
  for (;;) {
    const { read, code } = yield* look
    if (!read) return code
    yield* Effect.sleep(pause)
    if (!json && !process.stdout.isTTY) Cli.out("")
  }
})

Judging.run("claims", flags, watch ? watching : Effect.map(look, ({ code }) => code))
