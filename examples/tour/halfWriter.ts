/**
 * A writer that hands the kernel half of its line, says so, and waits to be killed.
 */
import * as fs from "node:fs"

const [, , path = "", half = ""] = process.argv
fs.writeSync(fs.openSync(path, "a"), half)
fs.writeSync(1, "half\n")
setInterval(() => {}, 60_000)
