/**
 * One line on a terminal while something takes longer than half a second.
 */
import { Effect, Fiber, Layer } from "effect"
import { SidecarReader } from "../internal.ts"
import * as Screen from "./Screen.ts"

const isTerminal = process.stderr.isTTY && Screen.isSmart
/** Milliseconds until the first line, and from one line to the next. */
const first = 500
const pace = 100

let next = performance.now() + first
let shown = false

/** Says how far it is, if it is time to say so. */
export const say = (line: string): Effect.Effect<void> =>
  Effect.sync(() => {
    const now = performance.now()
    if (!isTerminal || now < next) return
    next = now + pace
    shown = true
    Screen.write(2, `\r${line}\u001b[K`)
  })

/** Wipes the line, so that something else can stand there. */
export const wipe = (): void => {
  if (shown) Screen.write(2, "\r\u001b[K")
  shown = false
}

/** Wipes the line. */
export const done: Effect.Effect<void> = Effect.sync(wipe)

/** Says what is going on while something takes long that cannot say so itself. */
export const during =
  (line: string) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.acquireUseRelease(
      Effect.forkChild(Effect.delay(say(line), first)),
      () => self,
      (fiber) => Effect.andThen(Fiber.interrupt(fiber), done)
    )

/** The reader it is given, counting what goes through it. */
export const layerReader: Layer.Layer<SidecarReader.SidecarReader, never, SidecarReader.SidecarReader> = Layer.effect(
  SidecarReader.SidecarReader,
  Effect.map(SidecarReader.SidecarReader, (reader) => {
    let read = 0
    return SidecarReader.SidecarReader.of({
      ...reader,
      read: (name) =>
        Effect.ensuring(
          reader.read(name),
          Effect.suspend(() => say(`read ${++read} link files …`))
        )
    })
  })
)
