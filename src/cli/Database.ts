/**
 * The PostgreSQL of a fleet.
 */
import { Effect, Layer, Option, Redacted } from "effect"
import { Flag } from "effect/cli"
import { SqlClient } from "effect/sql"
import * as FleetError from "../sql/FleetError.ts"
import * as ExitCode from "./ExitCode.ts"

export const flag = Flag.String("database").pipe(
  Flag.optional,
  Flag.map(Option.getOrUndefined),
  Flag.withMetavar("URL"),
  Flag.withDescription("the PostgreSQL of the fleet, postgres://USER@HOST/NAME (default: $DATABASE_URL)")
)

/** The database that a person named, or the environment. */
export const connect = (database: string | undefined) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const url = database ?? process.env["DATABASE_URL"] ?? ""
      if (url === "") return yield* ExitCode.wrong("no database is named; give --database URL, or set DATABASE_URL")
      // Loaded here alone: no other command needs it.
      const PgClient = yield* Effect.promise(() => import("@effect/sql-pg/PgClient"))
      return PgClient.layer({ url: Redacted.make(url), maxConnections: 1 }).pipe(
        Layer.catchTag("SqlError", (error) => Layer.effect(SqlClient.SqlClient, Effect.fail(FleetError.of(error))))
      )
    })
  )
