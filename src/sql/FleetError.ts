/**
 * Why a database did not answer, in words that say what to do.
 */
import * as Data from "effect/Data"
import * as Predicate from "effect/Predicate"
import type { SqlError } from "effect/sql/SqlError"

export class FleetError extends Data.TaggedError("FleetError")<{
  readonly message: string
  readonly cause: SqlError
}> {}

/** What the client says of a failed statement is in its cause alone. */
export const of = (cause: SqlError): FleetError => {
  const inner = cause.reason.cause
  const said = inner instanceof Error ? `${cause.message}: ${inner.message}` : cause.message
  const lacks = Predicate.hasProperty(inner, "code") && noSuch.has(inner.code)
  return new FleetError({ message: lacks ? `${said}; run: session-liveness fleet migrate` : said, cause })
}

/** PostgreSQL's codes for a table and for a column that is not there. */
const noSuch: ReadonlySet<unknown> = new Set(["42P01", "42703"])
