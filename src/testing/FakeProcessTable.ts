/**
 * A process table as it is described.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PathUses from "../machine/core/PathUses.ts"
import type * as Processes from "../machine/core/Processes.ts"
import * as Current from "./Current.ts"
import {
  type Snapshot,
  ProcessTable,
  ProcessTableError,
  ProcessUnreadable,
  Unlistable
} from "../machine/ProcessTable.ts"

export interface FakeProcessTable {
  readonly table: "Listed" | "NotConsulted" | "Fails"
  readonly list: Processes.ProcessList
  /** Whether it can be told what the processes use. */
  readonly uses: "Known" | "Fail"
  readonly used: ReadonlyArray<PathUses.PathUse>
}

export const layer = (description: Current.Current<FakeProcessTable>): Layer.Layer<ProcessTable> =>
  Layer.succeed(
    ProcessTable,
    ProcessTable.of({
      snapshot: Effect.suspend((): Effect.Effect<Snapshot, ProcessTableError> => {
        const { table, list } = Current.get(description)
        switch (table) {
          case "NotConsulted":
            return Effect.succeed({ _tag: "NotConsulted" })
          case "Fails":
            return Effect.fail(new ProcessTableError({ reason: new Unlistable(), detail: "/proc" }))
          case "Listed":
            return Effect.succeed({ _tag: "Listed", ...list })
        }
      }),
      uses: ({ processes }) =>
        Effect.suspend(() => {
          const { table, uses, used } = Current.get(description)
          const pids = new Set(processes.map(({ pid }) => pid))
          return uses === "Known" && table === "Listed"
            ? Effect.succeed({ ...PathUses.none, paths: used.filter(({ pid }) => pids.has(pid)) })
            : Effect.fail(new ProcessTableError({ reason: new ProcessUnreadable({ pid: 1 }), detail: "/proc/1/fd" }))
        })
    })
  )
