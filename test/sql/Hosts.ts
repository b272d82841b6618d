/**
 * One PostgreSQL for a test file, and a host of its own for every test: rows carry the host, so that nothing else has to be
 * kept apart.
 */
import { afterAll, beforeAll, describe as describeTests } from "@effect/vitest"
import { Effect, Exit, Layer, Scope } from "effect"
import type { SqlClient } from "effect/sql"
import { type Host, migrate } from "../../src/sql/index.ts"
import * as Postgres from "./Postgres.ts"

export interface Fixture {
  /** The cluster, from within a test. */
  readonly cluster: () => Postgres.Cluster
  /** As the owner of the tables. */
  readonly database: Layer.Layer<SqlClient.SqlClient, unknown>
  readonly fresh: () => string
  /** A layer for a fresh host. */
  readonly host: <A, E>(
    layer: (options: Host) => Layer.Layer<A, E, SqlClient.SqlClient>
  ) => Effect.Effect<Layer.Layer<A, unknown>>
}

/** Tests that need PostgreSQL; where there is none, their title says so and they are skipped. */
export const describe = (title: string, tests: (fixture: Fixture) => void): void => {
  const { skipped } = Postgres
  if (skipped !== undefined) console.warn(`${title}: skipped, ${skipped}`)
  describeTests.skipIf(skipped !== undefined)(skipped === undefined ? title : `${title}: ${skipped}`, () => {
    const scope = Scope.makeUnsafe()
    let running: Postgres.Cluster | undefined
    const cluster = () => {
      if (running === undefined) throw new Error("the cluster runs only while a test does")
      return running
    }
    const database = Layer.unwrap(Effect.sync(() => cluster().connect()))
    beforeAll(async () => {
      running = await Effect.runPromise(Scope.provide(Postgres.cluster, scope))
      await Effect.runPromise(migrate().pipe(Effect.provide(database), Effect.scoped))
    }, 60_000)
    afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)), 60_000)
    let hosts = 0
    const fresh = () => `host ${++hosts}'s`
    tests({
      cluster,
      database,
      fresh,
      host: (layer) => Effect.sync(() => Layer.provide(layer({ host: fresh() }), database))
    })
  })
}
