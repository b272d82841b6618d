import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { SessionLinks } from "session-liveness"
import { Root } from "../../src/internal.ts"
import { layerSidecar } from "session-liveness/node"
import { type Benchmark, compare, must } from "./Bench.ts"
import * as Stores from "./Stores.ts"

export const benchmark: Benchmark = {
  name: "grep",
  about: "linkedClaudeIds, against `grep -rl ID` over the sidecar",
  run: async (stage) => {
    const figures = []
    for (const count of [200, 10_000]) {
      const root = stage.directory()
      Stores.linkFiles(root, count)
      const id = Stores.claudeId(count)
      const linked = SessionLinks.linkedClaudeIds(id).pipe(Effect.provide(layerSidecar({ root })))
      const ask = async () => must((await Effect.runPromise(linked)).length === Stores.idsPerFile, "it is not linked")
      const grep = () => {
        const { stdout } = spawnSync("grep", ["-rlF", id, Root.sidecar(root)], { encoding: "utf8" })
        must(stdout.endsWith(`${Stores.managedId(Math.floor(count / Stores.idsPerFile))}\n`), stdout)
      }
      figures.push(
        await compare(stage, {
          what: `\`linkedClaudeIds\` in a running process, ${count.toLocaleString("en")} link files`,
          rival: "`spawnSync` of `grep -rlF ID`, which tells the file and not its ids",
          subject: { run: ask },
          against: { run: grep },
          pairs: 31
        })
      )
    }
    return figures
  }
}
