/**
 * One line on stderr while many link files are read: at once on a terminal, in a log only if it takes long.
 */
import { Effect, Layer } from "effect"
import { SidecarReader } from "session-liveness"
import * as Cli from "./cli.ts"

const isTerminal = process.stderr.isTTY
/** Milliseconds until the first line, and from one line to the next. */
const pace = isTerminal ? 200 : 5_000

let read = 0
let next = performance.now() + pace
let shown = false

const step = (): void => {
  read++
  const now = performance.now()
  if (now < next) return
  next = now + pace
  shown = true
  const line = `read ${read} link files …`
  Cli.write(2, isTerminal ? `\r${line}` : `${line}\n`)
}

/** Wipes the line. */
export const done = (): void => {
  if (shown && isTerminal) Cli.write(2, "\r\u001b[K")
}

/** The reader it is given, counting what goes through it. */
export const layer: Layer.Layer<SidecarReader.SidecarReader, never, SidecarReader.SidecarReader> = Layer.effect(
  SidecarReader.SidecarReader,
  Effect.map(SidecarReader.SidecarReader, (reader) =>
    SidecarReader.SidecarReader.of({ ...reader, read: (name) => Effect.ensuring(reader.read(name), Effect.sync(step)) })
  )
)
