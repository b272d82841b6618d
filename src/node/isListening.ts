import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as net from "node:net"

/**
 * Connects to a Unix socket and hangs up. Only "nobody listens" and "no such socket" say that nobody is there; what else
 * may go wrong is left to tmux to tell.
 */
export const isListening = (socket: string): Effect.Effect<Option.Option<boolean>> =>
  Effect.callback((resume) => {
    const connection = net.connect({ path: socket })
    const answer = (listens: Option.Option<boolean>) => {
      connection.destroy()
      resume(Effect.succeed(listens))
    }
    connection.once("connect", () => answer(Option.some(true)))
    connection.once("error", (cause) => {
      const code = "code" in cause ? cause.code : undefined
      answer(code === "ECONNREFUSED" || code === "ENOENT" ? Option.some(false) : Option.none())
    })
    return Effect.sync(() => connection.destroy())
  })
