import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as fs from "node:fs"
import * as path from "node:path"
import { Heartbeat, layerSessionStore, layerSidecar } from "../../src/sql/index.ts"
import { tempRoot } from "../TempRoot.ts"
import { command, project, run, shell } from "../examples/Program.ts"
import * as Repo from "../verdict/Repo.ts"
import * as Hosts from "./Hosts.ts"
import * as Machine from "./Machine.ts"
import * as Manager from "./Manager.ts"

const timeout = 60_000

Hosts.describe("session-liveness fleet", ({ cluster, database }) => {
  const url = () => `postgres://owner@${encodeURIComponent(cluster().directory)}/postgres`

  const session = (id: string) => ({ id, tmux_name: `tm-${id}`, created_at: "2020-01-01T00:00:00Z" })

  it.live(
    "shows each host, which of them are silent, and the sums",
    () =>
      Effect.gen(function* () {
        yield* Manager.write("anchor", [session("ship"), session("boat")])
        yield* Manager.write("quarry\u001b[2J", [session("stone")])
        yield* Effect.scoped(Heartbeat.beat({ host: "anchor" })).pipe(
          Effect.provide([
            layerSessionStore({ host: "anchor" }),
            layerSidecar({ host: "anchor" }),
            Machine.listing("tm-ship")
          ])
        )
        const root = yield* tempRoot
        const shown = yield* run(command, ["fleet"], { cwd: root, env: { DATABASE_URL: url(), HOME: root } })
        assert.strictEqual(shown.stderr, "")
        assert.match(shown.stdout, /^heard +anchor +less than a minute ago +2 +1 +1 +not surveyed$/m)
        assert.match(shown.stdout, /^silent +quarry\\u\{1b\}\[2J +never +1 +\? +\? +it has never written a heartbeat$/m)
        assert.match(
          shown.stdout,
          /^2 hosts, 1 silent; 3 records; of those heard 1 live and 1 gone, 0 worktrees reclaimable\.$/m
        )
        assert.strictEqual(shown.exitCode, 1)
        const json = yield* run(command, ["fleet", "--json", "--database", url()], { cwd: root, env: { HOME: root } })
        const rows = json.stdout
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line))
        assert.deepStrictEqual(
          rows.map(({ host, silent }) => [host, silent]),
          [
            ["anchor", false],
            ["quarry\u001b[2J", true]
          ]
        )
        assert.isTrue(rows[0].sessions.boat.gone)
      }).pipe(Effect.scoped, Effect.provide(database)),
    timeout
  )

  it.live(
    "--watch looks again, and ends with its reader",
    () =>
      Effect.gen(function* () {
        yield* Manager.write("lookout", [session("mast")])
        const root = yield* tempRoot
        const line = `"$NODE" "$PROGRAM" fleet --watch --json --database '${url()}' | grep --line-buffered '"lookout"' | head -n 2`
        const shown = yield* shell(command, line, { root, env: { HOME: root } })
        const looks = shown.stdout.trimEnd().split("\n")
        assert.deepStrictEqual(
          looks.map((look) => JSON.parse(look).host),
          ["lookout", "lookout"]
        )
      }).pipe(Effect.scoped, Effect.provide(database)),
    timeout
  )

  it.live(
    "two hosts tell it of their sessions and worktrees; one that is cut off is silent",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        const env = { DATABASE_URL: url(), HOME: root }
        const fleet = (...args: ReadonlyArray<string>) => run(command, ["fleet", ...args], { cwd: root, env })
        const orchardRoot = path.join(root, "orchard")
        const sessions = Object.fromEntries(["pear", "apple"].map((id) => [id, session(id)]))
        fs.mkdirSync(path.join(orchardRoot, "session-manager"), { recursive: true })
        fs.writeFileSync(path.join(orchardRoot, "session-manager/sessions.json"), JSON.stringify({ sessions }))
        assert.deepInclude(yield* fleet("migrate", "--role", "nobody at all"), { stdout: "", exitCode: 1 })
        assert.deepInclude(yield* fleet("migrate"), { stderr: "", exitCode: 0 })
        const repository = Repo.create(path.join(root, "repository"))
        const spare = Repo.link(repository, path.join(root, "spare"), "spare")
        Repo.age(Repo.adminOf(spare))
        const harbor = ["beat", "--host", "harbor", "--no-manager", repository]
        const orchard = ["beat", "--host", "orchard", "--root", orchardRoot]
        assert.deepInclude(yield* fleet(...harbor), { exitCode: 0 })
        assert.deepInclude(yield* fleet(...orchard), { exitCode: 0 })
        const both = yield* fleet()
        assert.match(both.stdout, /^heard +harbor +less than a minute ago +0 +0 +0 +1, \d/m)
        // What else runs on this machine may keep its sessions from being told.
        assert.match(both.stdout, /^heard +orchard +less than a minute ago +2 +\d +\d +not surveyed$/m)
        assert.match(both.stdout, new RegExp(`^harbor +\\d.* ${spare}$`, "m"))
        const away = yield* fleet(...orchard, "--database", "postgres://owner@127.0.0.1:1/postgres")
        assert.match(away.stderr, /Failed to connect/)
        assert.strictEqual(away.exitCode, 1)
        yield* SqlClient.SqlClient.use(
          (sql) => sql`UPDATE session_liveness_heartbeats SET at = at - interval '61 seconds' WHERE host = 'orchard'`
        )
        const cut = yield* fleet()
        assert.match(cut.stdout, /^silent +orchard +1 min ago/m)
        assert.strictEqual(cut.exitCode, 1)
        assert.deepInclude(yield* fleet(...orchard, "--every", "31s"), { exitCode: 2 })
      }).pipe(Effect.scoped, Effect.provide(database)),
    timeout
  )

  it.live(
    "beat --every tells at once, and ends with 130 when it is interrupted",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        const line = `"$NODE" "$PROGRAM" fleet beat --host meadow --no-manager --every 30s & beat=$!
          until "$NODE" "$PROGRAM" fleet --json | grep -q meadow; do sleep 0.1; done
          kill -INT $beat; wait $beat; echo "exit $?"`
        const { stdout } = yield* shell(command, line, { cwd: root, env: { DATABASE_URL: url(), HOME: root } })
        assert.strictEqual(stdout, "exit 130\n")
      }).pipe(Effect.scoped),
    timeout
  )

  it.live(
    "says what it lacks, and what it could not reach",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        const given = { cwd: root, env: { HOME: root, DATABASE_URL: "" } }
        const without = yield* run(command, ["fleet"], given)
        assert.match(without.stderr, /no database is named/)
        assert.strictEqual(without.exitCode, 2)
        const away = yield* run(command, ["fleet", "--database", "postgres://nobody@127.0.0.1:1/x"], given)
        assert.match(away.stderr, /^session-liveness: the fleet could not be read: /)
        assert.deepStrictEqual([away.stdout, away.exitCode], ["", 1])
        const nonsense = yield* run(command, ["fleet", "--database", "nonsense"], given)
        assert.match(nonsense.stderr, /^session-liveness: .*URL/)
        assert.deepStrictEqual([nonsense.stdout, nonsense.exitCode], ["", 1])
      }).pipe(Effect.scoped),
    timeout
  )

  it.live(
    "examples/fleet.ts runs, and says how to get a database where there is none",
    () =>
      Effect.gen(function* () {
        const shown = yield* run("examples/fleet.ts", [], { cwd: project, env: { DATABASE_URL: url() } })
        assert.match(shown.stdout, /^claims on harbor: ship$/m)
        assert.deepStrictEqual([shown.stderr, shown.exitCode], ["", 0])
        const without = yield* run("examples/fleet.ts", [], { cwd: project })
        assert.match(without.stdout, /docker run/)
      }).pipe(Effect.scoped),
    timeout
  )
})
