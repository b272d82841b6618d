/**
 * What compression saved, summed over a whole managed session.
 */
import * as Effect from "effect/Effect"
import { SavingsLedger } from "./SavingsLedgerContract.ts"
import * as SavingsTotal from "./core/SavingsTotal.ts"
import * as FailOpen from "../shared/FailOpen.ts"
import * as Bound from "../shared/Bound.ts"

export * from "./SavingsLedger.ts"

/**
 * The sums over the rows of `ids`; zero when the ledger could not be read. Ends within `Bound.Links`.
 */
export const total = (ids: Iterable<string>): Effect.Effect<SavingsTotal.SavingsTotal, never, SavingsLedger> =>
  Effect.flatMap(SavingsLedger, (ledger) => ledger.total(ids)).pipe(
    FailOpen.foldsTo({ program: "SavingsLedger.total", bound: Bound.Links, safe: () => SavingsTotal.zero }),
    Effect.tap(({ rows }) => Effect.annotateCurrentSpan("rows", rows)),
    Effect.withSpan("SavingsLedger.total")
  )
