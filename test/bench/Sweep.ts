import { NodeFileSystem } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { execFile, spawnSync } from "node:child_process"
import { subscribe, unsubscribe } from "node:diagnostics_channel"
import * as fs from "node:fs"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { SessionStore } from "../../src/internal.ts"
import * as Server from "../claims/Server.ts"
import * as Repo from "../verdict/Repo.ts"
import * as Survey from "../verdict/Survey.ts"
import { type Benchmark, compare, must } from "./Bench.ts"
import * as Stores from "./Stores.ts"
import * as Worktrees from "./Worktrees.ts"

const statusArgs = ["status", "--porcelain", "-z", "--untracked-files=all", "--ignored=matching"]

/** As many at a time as a survey asks. */
const atOnce = 4

const statusOfEach = async (worktrees: ReadonlyArray<string>): Promise<void> => {
  const waiting = [...worktrees]
  const work = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      await promisify(execFile)("git", ["-C", next, ...statusArgs], { env: Repo.environment })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

/** How many processes are started meanwhile. */
const countStarted = async (run: () => Promise<unknown>): Promise<number> => {
  let started = 0
  const count = () => void started++
  subscribe("child_process", count)
  await run()
  unsubscribe("child_process", count)
  return started
}

const program = fileURLToPath(import.meta.resolve("../../dist/bin/session-liveness.js"))

/** The built command, and what it cannot do without: a Node process and one status. */
const explain = (root: string, worktree: string) => {
  const empty = path.join(root, "empty.cjs")
  fs.writeFileSync(empty, "")
  const env = { ...Repo.environment, HOME: root, TMUX_TMPDIR: root }
  return {
    run: () => {
      const { stdout } = spawnSync(process.execPath, [program, "explain", worktree, "--here"], {
        env,
        encoding: "utf8"
      })
      must(stdout.includes("Settled"), stdout)
    },
    floor: () => {
      spawnSync(process.execPath, [empty], { env })
      spawnSync("git", ["-C", worktree, ...statusArgs], { env })
    }
  }
}

export const benchmark: Benchmark = {
  name: "sweep",
  about: "a survey of 200 worktrees, and `explain` of one, against `git status` in each",
  run: (stage) =>
    Effect.gen(function* () {
      const count = stage.quick ? 20 : 200
      const { root, repositories, worktrees } = Worktrees.make(stage, count)
      const { pid } = yield* Server.start(root, { sessions: ["live"] })
      stage.defer(() => Server.signal(pid, "SIGKILL"))
      const store = SessionStore.layer({ root }).pipe(Layer.provide(NodeFileSystem.layer))
      const services = yield* Effect.context()
      const survey = async (permitted: number) => {
        const { candidates, unlisted } = await Effect.runPromiseWith(services)(
          Survey.survey(repositories, { root, store, own: [pid], settings: { everything: false } })
        )
        must(unlisted.length === 0 && candidates.length === count, `${candidates.length} candidates`)
        const found = candidates.filter(({ verdict }) => verdict._tag === "Permit").length
        must(found === permitted, `${found} permitted: ${candidates.map(Survey.line)[count - 1]}`)
      }
      const claimed = (isLive: (n: number) => boolean) => () =>
        Stores.records(
          root,
          worktrees.map((workspace_path, n) => ({
            id: Stores.managedId(n),
            tmux_name: isLive(n) ? "live" : `tm-${n}`,
            workspace_path
          }))
        )
      const rival = `\`git ${statusArgs.join(" ")}\` in each of them, ${atOnce} at a time`
      const against = { run: () => statusOfEach(worktrees) }
      const one = explain(root, worktrees[0] ?? "")
      const run = async () => {
        claimed(() => false)()
        const started = await countStarted(() => survey(count))
        return [
          await compare(stage, {
            what: `\`Reclaim.survey\` of ${count} clean worktrees of 10 repositories, every gate of each; ${started / count} processes per worktree`,
            rival,
            atMost: 2,
            subject: { prepare: claimed(() => false), run: () => survey(count) },
            against,
            pairs: 7
          }),
          await compare(stage, {
            what: "the same where a live claim stands on nine of ten",
            rival,
            atMost: 0.6,
            subject: { prepare: claimed((n) => n % 10 !== 0), run: () => survey(count / 10) },
            against,
            pairs: 7
          }),
          await compare(stage, {
            what: "`session-liveness explain` of one worktree, whole process",
            rival: "an empty Node process and `git status`",
            atMost: 4,
            subject: { run: one.run },
            against: { run: one.floor },
            pairs: 15
          })
        ]
      }
      return yield* Effect.promise(run)
    }).pipe(Effect.scoped, Effect.runPromise)
}
