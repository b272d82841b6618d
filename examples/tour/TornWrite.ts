import { Effect, Stream } from "effect"
import { ChildProcess } from "effect/process"
import { fileURLToPath } from "node:url"
import { Root } from "session-liveness"
import { harbor } from "./Cast.ts"
import { type Act, history, hook, linkFile, save, say, Stage, statusLine } from "./Stage.ts"

const writer = fileURLToPath(new URL("./halfWriter.ts", import.meta.url))

/** Starts a process that writes half a link, and kills it there. */
const killedWriter = Effect.gen(function* () {
  const { root } = yield* Stage
  const half = harbor.third.slice(0, 4)
  const child = yield* ChildProcess.make(process.execPath, [writer, `${Root.sidecar(root)}/${harbor.id}`, half], {
    stdin: "ignore",
    stderr: "inherit",
    killSignal: "SIGKILL"
  })
  yield* Stream.runHead(child.stdout)
  yield* child.kill({ killSignal: "SIGKILL" })
  yield* say("kill -9", `process ${child.pid} dies after ${half.length} of ${harbor.third.length} characters`)
}).pipe(Effect.scoped)

/** A write that did not finish is no link, and holds nobody up. */
export const torn: Act = {
  title: "A crash and a restart; the hook of the third id is killed half-way through its write",
  play: Effect.gen(function* () {
    yield* killedWriter
    yield* linkFile(harbor.id)
    yield* statusLine(harbor.third, "half a line is no link, and none is guessed")
    yield* statusLine(harbor.second, "what was linked stays linked")
    yield* history
  })
}

export const healed: Act = {
  title: "Claude Code resumes the third id, and the hook runs again",
  play: Effect.gen(function* () {
    yield* hook(harbor.id, harbor.third)
    yield* linkFile(harbor.id)
    yield* say("", "␘ cancels the fragment for good, in the same write that adds the id")
    yield* hook(harbor.id, harbor.third)
    yield* save(harbor.third, 0.15)
    yield* statusLine(harbor.third, "0.36 + 0.21 + 0.15, three ids, one session")
    yield* history
  })
}
