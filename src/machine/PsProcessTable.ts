import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ChildProcessSpawner } from "effect/process"
import * as Bound from "../shared/Bound.ts"
import * as Command from "../shared/Command.ts"
import * as PsTable from "./core/PsTable.ts"
import { failed, ProcessTable, type Self, Unlistable } from "./ProcessTable.ts"

/**
 * `ps`, where there is no `/proc`. It ends within `Bound.Observation`.
 */
export const layer = (options: {
  readonly self: Self
}): Layer.Layer<ProcessTable, never, ChildProcessSpawner.ChildProcessSpawner> =>
  Layer.effect(
    ProcessTable,
    Effect.map(ChildProcessSpawner.ChildProcessSpawner, (spawner) =>
      ProcessTable.of({
        snapshot: Command.run(spawner, {
          command: "ps",
          args: PsTable.args,
          env: { LC_ALL: "C", TZ: "UTC", PATH: "/bin:/usr/bin:/sbin:/usr/sbin" },
          maxBytes: 64 * 1024 * 1024,
          bound: Bound.Observation
        }).pipe(
          Effect.mapError((error) => failed(new Unlistable(), error.detail)),
          Effect.flatMap(({ exitCode, stdout, stderr }) => {
            const processes = exitCode === 0 ? PsTable.parse(stdout) : undefined
            return processes === undefined
              ? Effect.fail(failed(new Unlistable(), `ps said ${JSON.stringify((stderr || stdout).slice(0, 200))}`))
              : Effect.succeed({ _tag: "Listed", self: options.self, bootedAt: null, processes } as const)
          })
        ),
        uses: () => Effect.fail(failed(new Unlistable(), "ps does not tell which files a process uses"))
      })
    )
  )
