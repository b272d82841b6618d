/**
 * The command `session-liveness`.
 */
import { run } from "./Program.ts"

run()
