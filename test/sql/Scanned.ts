/**
 * How PostgreSQL reads its tables for a program: by which index, or as a whole, row by row.
 */
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import * as fs from "node:fs"
import * as path from "node:path"
import type { Cluster } from "./Postgres.ts"

/** What the plans of its statements scan, each once, as the server itself explains them in its log. */
export const during = Effect.fnUntraced(function* <A, E, R>(
  { directory }: Cluster,
  program: Effect.Effect<A, E, R>
): Effect.fn.Return<ReadonlyArray<string>, E | SqlError.SqlError, R | SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const log = path.join(directory, "log")
  const before = fs.statSync(log).size
  yield* sql.withTransaction(
    Effect.andThen(
      Effect.all([sql`LOAD 'auto_explain'`, sql`SET LOCAL auto_explain.log_min_duration = 0`], { discard: true }),
      program
    )
  )
  const plans = fs.readFileSync(log).subarray(before).toString("utf8")
  return [
    ...new Set(
      Array.from(plans.matchAll(/\b((?:\w+ ){0,2}Scan (?:using|on) [^(\n]*?) +\(cost/g), ([, scan = ""]) => scan)
    )
  ]
})

/** Those that read a whole table. */
export const whole = (scans: ReadonlyArray<string>): ReadonlyArray<string> =>
  scans.filter((scan) => /^(Parallel )?Seq Scan/.test(scan))
