/**
 * Connections to the database that fail at a given message.
 */
import * as net from "node:net"
import { Duplex } from "node:stream"

/**
 * What becomes of the `at`-th message to the server, counted over all connections from 1. `Cut`: the connection ends before
 * it is sent. `AnswerLost`: the server gets it and does it, and the connection ends with its answer. `Silent`: it is never
 * answered.
 */
export interface Fault {
  readonly at: number
  readonly kind: "Cut" | "AnswerLost" | "Silent"
}

export interface Wire {
  readonly stream: () => Duplex
  readonly injected: () => number
  /** From now on nothing fails, and what was never answered ends. */
  readonly stop: () => void
  /** Ends every connection, and lets none come about until it is `mend`ed. */
  readonly cut: () => void
  readonly mend: () => void
}

export const make = (path: string, faults: ReadonlyArray<Fault>): Wire => {
  let messages = 0
  let injected = 0
  let active = true
  let isCut = false
  const silent = new Set<net.Socket>()
  const open = new Set<net.Socket>()
  const due = (): Fault["kind"] | undefined => {
    messages++
    const fault = active ? faults.find(({ at }) => at === messages) : undefined
    if (fault !== undefined) injected++
    return fault?.kind
  }
  const stream = (): Duplex => {
    const socket = net.connect({ path: isCut ? `${path}, cut` : path })
    open.add(socket)
    let losing = false
    const wire = new Duplex({
      read: () => socket.resume(),
      write: (chunk: Uint8Array, _, done) => {
        const kind = due()
        if (kind === "Cut") return void socket.destroy()
        if (kind === "Silent") silent.add(socket)
        if (silent.has(socket)) return done()
        losing ||= kind === "AnswerLost"
        socket.write(chunk, done)
      },
      final: (done) => void socket.end(done),
      destroy: (error, done) => {
        socket.destroy()
        done(error)
      }
    })
    socket.on("data", (chunk: Uint8Array) => {
      if (losing) socket.destroy()
      else if (!wire.push(chunk)) socket.pause()
    })
    socket.on("connect", () => wire.emit("connect"))
    socket.on("error", (error) => wire.destroy(error))
    socket.on("close", () => {
      open.delete(socket)
      wire.destroy()
    })
    return wire
  }
  return {
    stream,
    injected: () => injected,
    stop: () => {
      active = false
      for (const socket of silent) socket.destroy()
    },
    cut: () => {
      isCut = true
      for (const socket of open) socket.destroy()
    },
    mend: () => {
      isCut = false
    }
  }
}
