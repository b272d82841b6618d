import { Effect } from "effect"
import * as fs from "node:fs"
import { SavingsLedger } from "session-liveness"
import { layerSidecar } from "session-liveness/node"
import { type Benchmark, compare, must } from "./Bench.ts"
import * as Stores from "./Stores.ts"

const count = 100_000
const own = 100
const ids = Stores.idsOf(0)

/** The session's own rows, and between them those of 1,000 others. */
const sessionOf = (isOwn: (row: number) => boolean) => (row: number) =>
  Stores.claudeId(isOwn(row) ? row % Stores.idsPerFile : Stores.idsPerFile + (row % (1000 * Stores.idsPerFile)))

const layouts: ReadonlyArray<readonly [name: string, isOwn: (row: number) => boolean]> = [
  ["in one stretch", (row) => row >= count / 2 && row < count / 2 + own],
  ["spread evenly", (row) => row % (count / own) === 0]
]

export const benchmark: Benchmark = {
  name: "ledger",
  about: "a ledger of 100,000 rows folded for one session, against reading it and splitting its lines",
  run: async (stage) => {
    const figures = []
    for (const [name, isOwn] of layouts) {
      const root = stage.directory()
      const file = Stores.ledger(root, count, sessionOf(isOwn))
      const fold = async () => {
        const { rows, skipped } = await SavingsLedger.total(ids).pipe(
          Effect.provide(layerSidecar({ root })),
          Effect.runPromise
        )
        must(rows === own && skipped === 0, `${rows} rows, ${skipped} skipped`)
      }
      figures.push(
        await compare(stage, {
          what: `\`SavingsLedger.total\`, 100,000 rows, 100 of the session, ${name}`,
          rival: "`readFileSync` and `split` into lines",
          atMost: 1.1,
          subject: { run: fold },
          against: {
            run: () => must(fs.readFileSync(file, "utf8").split("\n").length === count + 1, "lines are missing")
          },
          pairs: 31
        })
      )
    }
    return figures
  }
}
