/**
 * A Unix-domain socket that only its owner can reach, served by one process at a time.
 */
import { NodeSocket, NodeSocketServer } from "@effect/platform-node"
import { Data, Effect, Option, Stream } from "effect"
import { Socket } from "effect/socket"
import * as fs from "node:fs"
import * as path from "node:path"
import { DatabaseSync } from "node:sqlite"
import { Bound } from "session-liveness"
import * as Cli from "../cli.ts"

/** How long a request may take, and so how long it can hold up the end of the service. */
const requestBound = "30 seconds"

/** How long a client may leave its answer unread. */
const writeBound = "5 seconds"

/** How long a line may be, in bytes, so that nobody can fill the memory. */
export const lineLimit = 64 * 1024

class Unservable extends Data.TaggedError("Unservable")<{ readonly message: string }> {}

/** Gives the answer to a line of so many bytes, each a character. One that is over the limit is cut off behind it. */
type Answer<R> = (line: string) => Effect.Effect<object, never, R>

/**
 * Answers each line on the socket at `file` with a line of JSON, many connections side by side. When the scope closes,
 * nobody can connect any more, the requests that are under way are answered, and then it is over.
 */
export const serve = Effect.fnUntraced(function* <R>(file: string, answer: Answer<R>) {
  yield* Effect.acquireRelease(own(file), (lock) => Effect.sync(() => lock.close()))
  const server = yield* NodeSocketServer.make({ path: file })
  yield* Effect.sync(() => fs.chmodSync(file, 0o600))
  yield* Effect.forkScoped(server.run((socket) => converse(socket, answer)))
  yield* Effect.addFinalizer(() => Effect.sync(() => fs.rmSync(file, { force: true })))
})

/** Makes the place for the socket and gives the lock that makes it this process's own, as long as it is open. */
const own = (file: string) =>
  Effect.try({
    try: () => {
      if (Buffer.byteLength(file) > 107) throw new Error("it is too long for a socket")
      const directory = path.dirname(file)
      fs.mkdirSync(directory, { recursive: true, mode: 0o700 })
      const { uid, mode } = fs.lstatSync(directory)
      if (uid !== process.geteuid?.() || (mode & 0o777) !== 0o700) throw new Error("its directory must be mode 0700")
      // SQLite gives what it makes beside the lock the mode of the lock.
      fs.closeSync(fs.openSync(`${file}.lock`, "a", 0o600))
      fs.chmodSync(`${file}.lock`, 0o600)
      // The kernel gives a lock back when its process ends, however that ends: it is never a stale one.
      const lock = new DatabaseSync(`${file}.lock`, { timeout: 0 })
      fs.chmodSync(`${file}.lock`, 0o600)
      lock.exec("BEGIN EXCLUSIVE")
      const left = fs.lstatSync(file, { throwIfNoEntry: false })
      if (left !== undefined && !left.isSocket()) throw new Error("something else than a socket is there")
      fs.rmSync(file, { force: true })
      return lock
    },
    catch: (error) => {
      const reason = Cli.reasonOf(error)
      const why = reason === "database is locked" ? "another service has it" : reason
      return new Unservable({ message: `cannot listen at ${file}: ${why}` })
    }
  })

const converse = Effect.fnUntraced(
  function* <R>(socket: Socket.Socket, answer: Answer<R>) {
    const { write } = yield* socket.writer
    const connection = yield* Effect.serviceOption(NodeSocket.NetSocket)
    const respond = (line: string) =>
      Effect.timeoutOption(Bound.detached(answer(line)), requestBound).pipe(
        Effect.map(Option.getOrElse(() => ({ error: `no answer within ${requestBound}` }))),
        Effect.flatMap((reply) => Effect.timeoutOption(Bound.detached(write(`${Cli.json(reply)}\n`)), writeBound)),
        // Else what it does not read would keep the connection, and the service, for ever.
        Effect.tap((written) =>
          Effect.sync(() => Option.isNone(written) && Option.getOrUndefined(connection)?.destroy())
        ),
        Effect.uninterruptible
      )
    yield* Socket.toStream(socket).pipe(
      Stream.mapAccum(() => "", linesOf),
      Stream.runForEach(respond)
    )
    // Whoever has what it asked for hangs up, in whatever way.
  },
  Effect.scoped,
  Effect.catchTag("SocketError", ({ message }) => Effect.logDebug(`a client hung up: ${message}`))
)

/** The lines that a piece ends, and what it leaves to the next. */
const linesOf = (held: string, piece: Uint8Array): readonly [string, ReadonlyArray<string>] => {
  const lines = (held + Buffer.from(piece).toString("latin1")).split("\n")
  const left = lines.pop() ?? ""
  return [left.slice(0, lineLimit + 1), lines]
}
