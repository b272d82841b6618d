import { Effect } from "effect"
import * as fs from "node:fs"
import { Bound, SessionLinks } from "session-liveness"
import { Root } from "../../src/internal.ts"
import { layerSidecar } from "session-liveness/node"
import { type Benchmark, compare, must } from "./Bench.ts"
import * as Stores from "./Stores.ts"

const count = 10_000
const buffer = Buffer.allocUnsafe(64 * 1024)

/** Opens, reads and closes every file of a directory, and does nothing with them. */
export const bareLoop = (directory: string): void => {
  for (const name of fs.readdirSync(directory)) {
    const fd = fs.openSync(`${directory}/${name}`, "r")
    fs.readSync(fd, buffer, 0, buffer.length, null)
    fs.closeSync(fd)
  }
}

export const benchmark: Benchmark = {
  name: "scan",
  about: "a full sidecar scan of 10,000 link files, against a bare open-read-close loop over them",
  run: async (stage) => {
    const root = stage.directory()
    Stores.linkFiles(root, count)
    const layer = layerSidecar({ root })
    const within = Effect.provideService(Bound.Links, "10 minutes")
    const scan = async () => {
      const ids = await SessionLinks.linkedClaudeIds(Stores.claudeId(15_000)).pipe(
        within,
        Effect.provide(layer),
        Effect.runPromise
      )
      must(ids.length === Stores.idsPerFile, `${ids.length} ids`)
    }
    const history = async () => {
      const history = await SessionLinks.linkHistory.pipe(within, Effect.provide(layer), Effect.runPromise)
      must(history._tag === "Read" && history.links.size === count * Stores.idsPerFile, history._tag)
    }
    const bare = { run: () => bareLoop(Root.sidecar(root)) }
    const rival = "readdir, then open, read and close of each, into one buffer"
    return [
      await compare(stage, {
        what: "`linkedClaudeIds` over 10,000 link files, `layerSidecar`",
        rival,
        atMost: 1.1,
        subject: { run: scan },
        against: bare,
        pairs: 31
      }),
      await compare(stage, {
        what: "`linkHistory` over 10,000 link files, `layerSidecar`",
        rival,
        atMost: 1.3,
        subject: { run: history },
        against: bare,
        pairs: 31
      })
    ]
  }
}
