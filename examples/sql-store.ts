#!/usr/bin/env node
/**
 * Claims from records that lie in a SQLite database: a store of one's own in place of the library's.
 */
import { Effect } from "effect"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { Liveness, Text } from "session-liveness"
import * as Cli from "./cli.ts"
import * as Judging from "./Judging.ts"
import * as SqliteSessions from "./sql-store/SqliteSessions.ts"
import * as SqliteSessionStore from "./sql-store/SqliteSessionStore.ts"

const help = `sql-store: shows the sessions that a SQLite database records, and whether each counts as live and why

Usage: sql-store demo | DATABASE [--caller ID] [--dismiss ID] [--here] [--socket NAME] [--root DIR]

  demo            make a database with three sessions, one of which does not decode, show it and remove it
  DATABASE        its table "sessions" holds a row a session: id, tmux_name, workspace_path, claude_session_id,
                  created_at, last_activity_at; times in RFC 3339
${Judging.help}

The database is only read, each time as it is at one instant.

Exit codes: 0 shown; 1 tmux was not observed, or the records are not whole; 2 wrong usage; 130 interrupted.`

const { values, positionals } = Cli.flagsAndPaths(help, Judging.options)
const [given = "", ...others] = positionals
if (given === "" || others.length > 0) Cli.fail("Name one database, or demo.", 2)

const show = (file: string) =>
  Effect.gen(function* () {
    const gathered = yield* Judging.gather(values)
    const { claims } = gathered
    Cli.out(Judging.observationText(gathered))
    for (const [session, liveness] of claims.owners.owners ?? []) {
      const paths = claims.claims.flatMap((claim) => (claim.session === session ? [Text.escape(claim.place.path)] : []))
      Cli.out(
        [
          `${Text.escape(session)} ${Liveness.$is("Live")(liveness) ? "is live" : "is gone"}`,
          `claims ${paths.join(", ") || "nothing"}`,
          Cli.printable(Judging.whyOf(liveness).what)
        ].join("; ")
      )
    }
    if (claims.incomplete !== undefined) Cli.out(`Every removal is refused: ${Cli.printable(claims.incomplete)}`)
    return claims.observation._tag === "Unobserved" || claims.incomplete !== undefined ? 1 : 0
  }).pipe(Effect.provide(SqliteSessionStore.layer({ path: file })))

const demo = Effect.fnUntraced(function* (root: string) {
  const file = path.join(root, "fleet.db")
  SqliteSessions.save(file, [
    { id: "harbor", tmux_name: "tm-harbor", workspace_path: `${root}/harbor`, created_at: "2026-01-01T08:00:00Z" },
    { id: "orchard", tmux_name: "tm-orchard", workspace_path: `${root}/orchard`, created_at: "2026-01-02T08:00:00Z" },
    { id: "quarry", tmux_name: "tm-quarry", workspace_path: `${root}/quarry`, created_at: "yesterday" }
  ])
  return yield* show(file)
})

if (given === "demo") {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "sql-store-"))
  const remove = Effect.sync(() => fs.rmSync(root, { recursive: true, force: true }))
  Judging.run("sql-store", { root, ...values }, Effect.ensuring(demo(root), remove))
} else {
  Judging.run("sql-store", values, show(given))
}
