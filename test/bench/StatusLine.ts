import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import { type Benchmark, compare, must, type Stage } from "./Bench.ts"
import * as Stores from "./Stores.ts"

const program = fileURLToPath(import.meta.resolve("../../dist/bin/session-liveness-status-line.js"))

/**
 * A whole run of the built status line on a root of its own, as Claude Code starts it.
 */
export const wholeProcess = (stage: Stage) => {
  const root = stage.directory()
  const sessions = 200
  Stores.linkFiles(root, sessions)
  Stores.ledger(root, 2000, (row) => Stores.claudeId(row % (sessions * Stores.idsPerFile)))
  const input = Stores.statusInput(Stores.claudeId(7), root)
  const start = (script: string, env: NodeJS.ProcessEnv = process.env): string => {
    const { stdout, stderr, status } = spawnSync(process.execPath, [script], { input, env, encoding: "utf8" })
    must(status === 0 && stderr === "", `${script} exits with ${status} and says ${stderr}`)
    return stdout
  }
  const run = () =>
    must(start(program, { ...process.env, TRUSTY_MPM_ROOT: root }).startsWith("💸"), "the status line shows nothing")
  return { root, start, run }
}

export const benchmark: Benchmark = {
  name: "status-line",
  about: "the built status line, a whole process, against an empty Node process",
  run: async (stage) => {
    const { root, start, run } = wholeProcess(stage)
    const empty = path.join(root, "empty.cjs")
    fs.writeFileSync(empty, "")
    return [
      await compare(stage, {
        what: "the built status line, whole process, 200 link files and 2,000 ledger rows",
        rival: "an empty Node process",
        atMost: 1.15,
        subject: { run },
        against: { run: () => start(empty) },
        pairs: 61
      })
    ]
  }
}
