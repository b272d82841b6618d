/**
 * Asks the service one thing.
 */
import { NodeSocket } from "@effect/platform-node"
import { Effect, Option, Stream } from "effect"
import { Socket } from "effect/socket"
import * as path from "node:path"
import * as Cli from "../cli.ts"
import * as Hook from "../Hook.ts"

/** Prints the answer and gives the exit code. */
export const ask = Effect.fnUntraced(function* (file: string, [what, about]: ReadonlyArray<string>) {
  // A command line that names a worktree counts as a use of it, and would have this very question refuse.
  process.title = "embed-service ask"
  const request = yield* requestOf(what, about)
  const socket = yield* NodeSocket.makeNet({ path: file })
  const { write } = yield* socket.writer
  // Beside the reading, which is what connects.
  yield* Effect.forkScoped(write(`${JSON.stringify(request)}\n`))
  const line = yield* Socket.toStream(socket).pipe(
    Stream.decodeText,
    Stream.splitLines,
    Stream.runHead,
    Effect.mapError(() => Hook.because(`nobody answers at ${file}; start the service, or name its socket`))
  )
  const reply: Readonly<Record<string, unknown>> = JSON.parse(Option.getOrElse(line, () => '{"error":"no answer"}'))
  Cli.out(typeof reply["metrics"] === "string" ? reply["metrics"].trimEnd() : Cli.json(reply))
  return "error" in reply || reply["healthy"] === false || reply["verdict"] === "Refuse" ? 1 : 0
}, Effect.scoped)

const requestOf = (what: string | undefined, about: string | undefined) => {
  if (what === "verdict" && about !== undefined) return Effect.succeed({ ask: what, path: path.resolve(about) })
  if (what === "link" && about !== undefined)
    return Effect.map(Hook.event, (event) => ({ ...event, managed_id: about }))
  if (what === "health" || what === "metrics") return Effect.succeed({ ask: what })
  return Effect.sync(() => Cli.fail("Ask verdict PATH, link ID, health or metrics.", 2))
}
