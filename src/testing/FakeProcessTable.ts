/**
 * A process table as it is described.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Processes from "../core/Processes.ts"
import { ProcessTable, ProcessTableError, ProcessUnreadable, Unlistable } from "../services/ProcessTable.ts"

export interface FakeProcessTable {
  readonly table: "Listed" | "NotConsulted" | "Fails"
  readonly list: Processes.ProcessList
  /** Whether it can be told what the processes use. */
  readonly uses: "Told" | "Fail"
  readonly used: ReadonlyArray<Processes.Use>
}

export const layer = ({ table, list, uses, used }: FakeProcessTable): Layer.Layer<ProcessTable> =>
  Layer.succeed(
    ProcessTable,
    ProcessTable.of({
      look:
        table === "NotConsulted"
          ? Effect.succeed({ _tag: "NotConsulted" })
          : table === "Fails"
            ? Effect.fail(new ProcessTableError({ reason: new Unlistable(), detail: "/proc" }))
            : Effect.succeed({ _tag: "Listed", ...list }),
      uses: (given) => {
        const pids = new Set(given.processes.map(({ pid }) => pid))
        return uses === "Told" && table === "Listed"
          ? Effect.succeed(used.filter(({ pid }) => pids.has(pid)))
          : Effect.fail(new ProcessTableError({ reason: new ProcessUnreadable({ pid: 1 }), detail: "/proc/1/fd" }))
      }
    })
  )
