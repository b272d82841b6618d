import { NodeFileSystem } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { setTimeout } from "node:timers/promises"
import { Bound, SessionLinks, SessionStore } from "../../src/internal.ts"
import { layerSidecar } from "../../src/node/Sidecar.ts"
import * as Survey from "../verdict/Survey.ts"
import * as Look from "../claims/Look.ts"
import { type Benchmark, must, type Stage } from "./Bench.ts"
import * as Report from "./Report.ts"
import * as Stores from "./Stores.ts"
import * as Worktrees from "./Worktrees.ts"

const scan = (stage: Stage, count: number) => {
  const root = stage.directory()
  stage.say(`${count} link files`)
  Stores.linkFiles(root, count)
  const services = Effect.provide(layerSidecar({ root }))
  const within = Effect.provideService(Bound.Links, "1 hour")
  return {
    siblings: async () => {
      const ids = await Effect.runPromise(SessionLinks.linkedClaudeIds(Stores.claudeId(0)).pipe(within, services))
      must(ids.length === Stores.idsPerFile, `${ids.length} ids`)
    },
    history: async () => {
      const history = await Effect.runPromise(SessionLinks.linkHistory.pipe(within, services))
      must(history._tag === "Read", history._tag)
    }
  }
}

const survey = (stage: Stage, count: number) => {
  const { root, repositories } = Worktrees.make(stage, count)
  const store = SessionStore.layer({ root }).pipe(Layer.provide(NodeFileSystem.layer))
  return async () => {
    const { candidates } = await Effect.runPromise(Survey.survey(repositories, { root, store }))
    must(candidates.length === count, `${candidates.length} candidates`)
  }
}

/** A tmux that never answers. */
const hangingProbe = (stage: Stage) => {
  const directory = stage.directory()
  const executable = path.join(directory, "tmux")
  fs.writeFileSync(executable, "#!/bin/sh\nexec sleep 60\n", { mode: 0o755 })
  const options = { directory, executable, sockets: [path.join(directory, "socket")], isListening: false }
  return async () => {
    const seen = await Effect.runPromise(Look.observe(options, "3 seconds"))
    must(seen._tag === "Unobserved" && seen.reason._tag === "TimedOut", JSON.stringify(seen))
  }
}

/** How long the event loop was held while something ran, besides the resolution of the look itself. */
const held = async (run: () => Promise<unknown>) => {
  const resolution = 1
  const delay = monitorEventLoopDelay({ resolution })
  delay.enable()
  // It measures from its first turn on.
  await setTimeout(50)
  delay.reset()
  const start = performance.now()
  await run()
  const took = performance.now() - start
  await setTimeout(2 * resolution)
  delay.disable()
  const ms = (nanoseconds: number) => Report.duration(Math.max(0, nanoseconds / 1e6 - resolution))
  return [Report.duration(took), ms(delay.percentile(50)), ms(delay.percentile(99)), ms(delay.max)]
}

export const benchmark: Benchmark = {
  name: "event-loop",
  about: "how long the event loop is held by a scan of 100,000 link files, a survey of 200 worktrees, a hanging probe",
  run: async (stage) => {
    const [files, worktrees] = stage.quick ? [1000, 20] : [100_000, 200]
    const { siblings, history } = scan(stage, files)
    const surveyAll = survey(stage, worktrees)
    const probe = hangingProbe(stage)
    const doings: ReadonlyArray<readonly [name: string, run: () => Promise<unknown>]> = [
      ["nothing, for 2 s", () => setTimeout(2000)],
      [`\`linkedClaudeIds\`, ${files.toLocaleString("en")} link files`, siblings],
      [`\`linkHistory\`, ${files.toLocaleString("en")} link files`, history],
      [`\`Reclaim.survey\`, ${worktrees.toLocaleString("en")} real worktrees, real git`, surveyAll],
      ["`observe` of a tmux that hangs, for 3 s", probe],
      ["all four at once", () => Promise.all([siblings(), history(), surveyAll(), probe()])]
    ]
    const rows: Array<ReadonlyArray<string>> = []
    for (const [name, run] of doings) {
      stage.say(name)
      rows.push([name, ...(await held(run))])
    }
    return [
      {
        _tag: "Table",
        title: "How long the event loop is held",
        note: "By `monitorEventLoopDelay` at a resolution of 1 ms, which is taken off.",
        columns: ["while", "took", "median", "p99", "longest"],
        rows
      }
    ]
  }
}
