import { assert, it } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { SqlClient } from "effect/sql"
import * as fs from "node:fs"
import * as path from "node:path"
import { SessionEnd, SessionLinks, WorkspaceClaims } from "../../src/internal.ts"
import * as Elsewhere from "../../src/claims/Elsewhere.ts"
import { Fleet, Heartbeat, layerSessionStore, layerSidecar } from "../../src/sql/index.ts"
import { tempRoot } from "../TempRoot.ts"
import * as Repo from "../verdict/Repo.ts"
import * as Survey from "../verdict/Survey.ts"
import * as Hosts from "./Hosts.ts"
import * as Machine from "./Machine.ts"
import * as Manager from "./Manager.ts"

const session = (id: string, claudeId?: string) => ({
  id,
  tmux_name: `tm-${id}`,
  workspace_path: `/w/${id}`,
  claude_session_id: claudeId,
  created_at: "2020-01-01T00:00:00Z"
})

Hosts.describe("two hosts", ({ database, fresh }) => {
  /** A host on which tmux lists these names. */
  const on = (host: string, ...names: ReadonlyArray<string>) =>
    Layer.mergeAll(layerSessionStore({ host }), layerSidecar({ host }), Machine.listing(...names))

  /** What this host concludes of the end of a session. */
  const end = Effect.fnUntraced(function* (id: string) {
    const { owners } = yield* WorkspaceClaims.workspaceClaims()
    return (yield* Elsewhere.endsOf(owners, [id], 0)).get(id) ?? assert.fail(`nothing is said of ${id}`)
  })

  const age = (host: string, seconds: number) =>
    SqlClient.SqlClient.use(
      (sql) =>
        sql`UPDATE session_liveness_heartbeats SET at = now() - ${seconds}::float8 * interval '1 second' WHERE host = ${host}`
    )

  /** Two hosts; the sessions of the other are `…-live`, which tmux lists there, and `…-gone`. */
  const staged = Effect.gen(function* () {
    const [here, there] = [fresh(), fresh()]
    const name = there.replaceAll(/\W/g, "_")
    const [live, gone] = [session(`${name}-live`, `current ${there}`), session(`${name}-gone`)]
    yield* Manager.write(here, [session("m1")])
    yield* Manager.write(there, [live, gone])
    const other = on(there, live.tmux_name)
    yield* SessionLinks.recordLink(gone.id, `linked ${there}`).pipe(Effect.provide(other))
    const beat = Heartbeat.beat({ host: there }).pipe(Effect.provide(other))
    return { here: on(here), there, live: live.id, gone: gone.id, beat }
  })

  const test = (title: string, body: Effect.Effect<void, unknown, SqlClient.SqlClient>) =>
    it.live(title, () => Effect.provide(body, [database, Logger.layer([])]), 30_000)

  test(
    "the records of another host claim nothing here",
    Effect.gen(function* () {
      const { here, beat } = yield* staged
      yield* beat
      const { claims, owners } = yield* Effect.provide(WorkspaceClaims.workspaceClaims(), here)
      assert.deepStrictEqual(
        claims.map(({ session }) => session),
        ["m1"]
      )
      assert.deepStrictEqual([...(owners.owners ?? [])].length, 1)
    })
  )

  test(
    "a session of another host ends here only by a fresh heartbeat that says it is gone",
    Effect.gen(function* () {
      const { here, there, live, gone, beat } = yield* staged
      const ends = Effect.gen(function* () {
        const told: Array<string> = []
        for (const id of [gone, `linked ${there}`, live, `current ${there}`]) told.push((yield* end(id))._tag)
        return told
      }).pipe(Effect.provide(here))
      const open = ["Undeterminable", "Undeterminable", "Undeterminable", "Undeterminable"]
      assert.deepStrictEqual(yield* ends, open)
      assert.isTrue(yield* beat)
      assert.deepStrictEqual(yield* ends, ["Ended", "Ended", "Undeterminable", "Undeterminable"])
      yield* age(there, 61)
      assert.deepStrictEqual(yield* ends, open)
      yield* age(there, -60)
      assert.deepStrictEqual(yield* ends, open)
      yield* age(there, 1)
      assert.deepStrictEqual(yield* ends, ["Ended", "Ended", "Undeterminable", "Undeterminable"])
      const why = yield* Effect.provide(end(live), here)
      assert.isTrue(SessionEnd.$is("Undeterminable")(why) && why.reason.includes(there))
    })
  )

  test(
    "what the heartbeat does not name, or not rightly, has not ended",
    Effect.gen(function* () {
      const { here, there, gone, beat } = yield* staged
      yield* beat
      const sql = yield* SqlClient.SqlClient
      for (const told of [
        `{}`,
        `{"sessions":[]}`,
        `{"sessions":{}}`,
        `{"sessions":{"${gone}":{"gone":"perhaps"}}}`,
        `{"observed":true,"sessions":{"${gone}":{"gone":"yes"}}}`,
        `{"observed":true,"sessions":{"${gone}":{"gone":1}}}`,
        `{"observed":false,"sessions":{"${gone}":{"gone":true}}}`,
        `{"sessions":{"${gone}":{"gone":true}}}`,
        `[]`
      ]) {
        yield* sql`UPDATE session_liveness_heartbeats SET told = ${told}::text::jsonb WHERE host = ${there}`
        assert.strictEqual((yield* Effect.provide(end(gone), here))._tag, "Undeterminable", told)
      }
    })
  )

  test(
    "no id, however it is spelled, ends by another's heartbeat",
    Effect.gen(function* () {
      const { here, gone, beat } = yield* staged
      yield* beat
      const hostile = ["", "%", "_", "'", "' OR 'a' = 'a", "$1", "{}", "\u0000", "\ud800", "a".repeat(100_000)]
      for (const id of [...hostile, `${gone}%`, `${gone} `, gone.toUpperCase(), `${gone}\u0000`, `${gone}' --`]) {
        const { owners } = yield* Effect.provide(WorkspaceClaims.workspaceClaims(), here)
        const ends = yield* Effect.provide(Elsewhere.endsOf(owners, [id], 0), here)
        assert.notStrictEqual(ends.get(id)?._tag, "Ended", JSON.stringify(id.slice(0, 40)))
      }
      assert.strictEqual((yield* Effect.provide(end(gone), here))._tag, "Ended")
    })
  )

  test(
    "an id that two other hosts have ends only when both say so, and one's own record is not outdone",
    Effect.gen(function* () {
      const one = yield* staged
      const other = yield* staged
      yield* one.beat
      yield* Manager.write(other.there, [session(one.gone)])
      yield* Manager.write(`${other.there} listing`, [session(one.gone)])
      assert.strictEqual((yield* Effect.provide(end(one.gone), one.here))._tag, "Undeterminable")
      const quiet = on(other.there)
      yield* Heartbeat.beat({ host: other.there }).pipe(Effect.provide(quiet))
      yield* Heartbeat.beat({ host: `${other.there} listing` }).pipe(Effect.provide(on(`${other.there} listing`)))
      assert.strictEqual((yield* Effect.provide(end(one.gone), one.here))._tag, "Ended")
      // The host that lists it knows better than any other.
      const listing = on(other.there, `tm-${one.gone}`)
      assert.strictEqual((yield* Effect.provide(end(one.gone), listing))._tag, "Live")
    })
  )

  test(
    "a survey keeps a worktree of a session of another host, and asks that host's heartbeat",
    Effect.gen(function* () {
      const { there, gone, beat } = yield* staged
      const root = yield* tempRoot
      const repository = Repo.create(path.join(root, "repository"))
      const worktree = Repo.link(repository, path.join(root, "worktree"), "work")
      const sentinel = { owner_session_id: gone, created_at: "2026-01-01T00:00:00Z" }
      fs.writeFileSync(path.join(Repo.adminOf(worktree), ".trusty-mpm-worktree"), JSON.stringify(sentinel))
      const here = fresh()
      yield* Manager.write(here, [])
      const store = Layer.provide(layerSessionStore({ host: here }), Layer.orDie(database))
      const owner = Effect.map(Survey.survey(repository, { root, store }), (plan) =>
        Survey.gate(Survey.at(plan, worktree), "Owner")
      )
      assert.include(yield* owner, there)
      yield* beat
      assert.isUndefined(yield* owner)
      yield* age(there, 61)
      assert.include(yield* owner, there)
    }).pipe(Effect.scoped)
  )

  test(
    "a heartbeat is not overwritten by an older one, and is as old as what it is made of",
    Effect.gen(function* () {
      const { there, beat } = yield* staged
      yield* beat
      yield* age(there, -30)
      assert.isFalse(yield* beat)
      yield* age(there, 30)
      assert.isTrue(yield* beat)
    })
  )

  test(
    "the fleet shows every host, silent ones as silent, and sums those that are heard",
    Effect.gen(function* () {
      const heard = yield* staged
      const silent = yield* staged
      const never = yield* staged
      yield* heard.beat
      yield* silent.beat
      yield* age(silent.there, 3600)
      const fleet = yield* Fleet.overview
      if (fleet._tag === "Unknown") return assert.fail(fleet.reason)
      const shown = (host: string) => fleet.value.hosts.find((candidate) => candidate.host === host)
      assert.deepStrictEqual(
        [heard, silent, never].map(({ there }) => [shown(there)?.silent, shown(there)?.records]),
        [
          [false, 2],
          [true, 2],
          [true, 2]
        ]
      )
      const sessions = (host: string) => {
        const heartbeat = shown(host)?.heartbeat
        return heartbeat?._tag === "Known" ? Object.values(heartbeat.value.sessions).map(({ gone }) => gone) : undefined
      }
      assert.deepStrictEqual(sessions(heard.there)?.sort(), [false, true])
      assert.isUndefined(sessions(never.there))
      assert.deepInclude(fleet.value.sums, { hosts: fleet.value.hosts.length })
    })
  )
})
