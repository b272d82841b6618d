/**
 * The whole story on a temporary root: what may go, what stays and why, and the way back. It is the command's own.
 *
 *     node examples/tour.ts [--all]
 */
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"

const command = fileURLToPath(new URL("../dist/bin/session-liveness.js", import.meta.url))
const { status } = spawnSync(process.execPath, [command, "tour", ...process.argv.slice(2)], { stdio: "inherit" })
process.exitCode = status ?? 1
