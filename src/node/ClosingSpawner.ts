import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ChildProcessSpawner } from "effect/process"
import { ChildProcess } from "node:child_process"
import { subscribe, unsubscribe } from "node:diagnostics_channel"

/**
 * The spawner below it, except that the output pipes of a child are closed with its scope even when somebody else still
 * holds their other end. A tmux client hands its standard output to the server: a stopped server would otherwise keep
 * this process from ending, and cost it a descriptor at every look.
 */
export const layerClosing: Layer.Layer<
  ChildProcessSpawner.ChildProcessSpawner,
  never,
  ChildProcessSpawner.ChildProcessSpawner
> = Layer.effect(
  ChildProcessSpawner.ChildProcessSpawner,
  Effect.map(ChildProcessSpawner.ChildProcessSpawner, (spawner) =>
    ChildProcessSpawner.make((command) =>
      Effect.suspend(() => {
        const started: Array<ChildProcess> = []
        const note = (message: unknown) => {
          if (isStart(message)) started.push(message.process)
        }
        subscribe(channel, note)
        return spawner.spawn(command).pipe(
          Effect.ensuring(Effect.sync(() => unsubscribe(channel, note))),
          Effect.tap(({ pid }) =>
            Effect.addFinalizer(() =>
              Effect.sync(() => {
                // Others may have started children meanwhile.
                const child = started.find((candidate) => candidate.pid === pid)
                child?.stdout?.destroy()
                child?.stderr?.destroy()
              })
            )
          )
        )
      }).pipe(Effect.uninterruptible)
    )
  )
)

/** Where Node tells of every child it starts; Effect's handle does not give access to the pipes themselves. */
const channel = "child_process"

const isStart = (message: unknown): message is { readonly process: ChildProcess } =>
  typeof message === "object" && message !== null && "process" in message && message.process instanceof ChildProcess
