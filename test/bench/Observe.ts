import { Effect } from "effect"
import { execFile } from "node:child_process"
import * as fs from "node:fs"
import { promisify } from "node:util"
import { Observation, type ProcessTable, type TmuxProbe, WorkspaceClaims } from "../../src/internal.ts"
import * as Look from "../claims/Look.ts"
import * as Server from "../claims/Server.ts"
import { type Benchmark, compare, must } from "./Bench.ts"

const sessions = Array.from({ length: 10 }, (_, n) => `tm-${n}`)

export const benchmark: Benchmark = {
  name: "observe",
  about: "one observation of one tmux socket, against spawning the same tmux command bare",
  run: (stage) =>
    Effect.gen(function* () {
      const directory = stage.directory()
      const { pid, socket } = yield* Server.start(directory, { sessions })
      stage.defer(() => Server.signal(pid, "SIGKILL"))
      const bare = () =>
        promisify(execFile)("tmux", ["-u", "-S", socket, ...Observation.question], { env: Server.outside(directory) })
      const measure = Effect.gen(function* () {
        const services = yield* Effect.context<TmuxProbe.TmuxProbe | ProcessTable.ProcessTable>()
        const observe = async () => {
          const seen = await Effect.runPromiseWith(services)(WorkspaceClaims.observe)
          must(seen._tag === "Answered" && seen.names.length === sessions.length, JSON.stringify(seen))
        }
        const running = fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name)).length
        return yield* Effect.promise(() =>
          compare(stage, {
            what: `\`WorkspaceClaims.observe\`, one socket, ${running} processes on the machine`,
            rival: "`execFile` of the same tmux command",
            atMost: 1.4,
            subject: { run: observe },
            against: { run: bare },
            pairs: 101
          })
        )
      })
      return [yield* measure.pipe(Look.at({ directory, own: [pid] }))]
    }).pipe(Effect.scoped, Effect.runPromise)
}
