import { NodeFileSystem } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { execFile } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { promisify } from "node:util"
import { SessionStore } from "../../src/internal.ts"
import * as Repo from "../verdict/Repo.ts"
import * as Survey from "../verdict/Survey.ts"
import * as Server from "../claims/Server.ts"
import { type Benchmark, compare, must } from "./Bench.ts"
import * as Worktrees from "./Worktrees.ts"

const loop = `for worktree in "$@"; do
  git -C "$worktree" worktree list --porcelain >/dev/null
  tmux -S "$SOCKET" list-sessions -F '#{session_name}' >/dev/null
done
`

export const benchmark: Benchmark = {
  name: "sweep",
  about: "a survey of 200 worktrees, against a shell loop of `git worktree list` and `tmux list-sessions`",
  run: (stage) =>
    Effect.gen(function* () {
      const count = stage.quick ? 20 : 200
      const { root, repositories, worktrees } = Worktrees.make(stage, count)
      const live = Array.from({ length: 10 }, (_, n) => `tm-${n}`)
      const { pid, socket } = yield* Server.start(root, { sessions: live })
      stage.defer(() => Server.signal(pid, "SIGKILL"))
      const store = SessionStore.layer({ root }).pipe(Layer.provide(NodeFileSystem.layer))
      const services = yield* Effect.context()
      const survey = async () => {
        const { candidates, unlisted } = await Effect.runPromiseWith(services)(
          Survey.survey(repositories, { root, store, own: [pid] })
        )
        const permitted = candidates.filter(({ verdict }) => verdict._tag === "Permit").length
        must(unlisted.length === 0 && candidates.length === count, `${candidates.length} candidates`)
        must(permitted === count - live.length, `${permitted} permitted: ${candidates.map(Survey.line)[count - 1]}`)
      }
      const script = path.join(root, "loop.sh")
      fs.writeFileSync(script, loop)
      const shell = () =>
        promisify(execFile)("sh", [script, ...worktrees], { env: { ...Repo.environment, SOCKET: socket } })
      return [
        yield* Effect.promise(() =>
          compare(stage, {
            what: `\`Reclaim.survey\` of ${count} worktrees of 10 repositories, every gate of each`,
            rival: "a shell loop of `git worktree list` and `tmux list-sessions` per worktree, which judges nothing",
            subject: { run: survey },
            against: { run: shell },
            pairs: 5
          })
        )
      ]
    }).pipe(Effect.scoped, Effect.runPromise)
}
