/**
 * Stores twenty lots of five sessions, each lot in one transaction.
 */
import * as SqliteSessions from "../../examples/sql-store/SqliteSessions.ts"

const [file = "", name = ""] = process.argv.slice(2)

for (let lot = 0; lot < 20; lot++) {
  SqliteSessions.save(
    file,
    Array.from({ length: 5 }, (_, index) => ({ id: `${name}-${lot}-${index}`, tmux_name: `tm-${name}` })),
    30_000
  )
}
