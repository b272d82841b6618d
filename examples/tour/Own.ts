/**
 * The tour's own part of the machine.
 */
import { Effect, Layer } from "effect"
import { ClaudeSessions, ProcessTable } from "session-liveness"
import { layer } from "session-liveness/node"

/** How long the tour says that the machine has been up. */
export const upFor = { days: 30 } as const

/**
 * The real services of a root, over a process table that is cut down to this process, those of `pids`, and all that they
 * started: whatever else runs on the machine would change what the tour shows.
 */
export const services = (root: string, pids: ReadonlySet<number>) =>
  Layer.mergeAll(processes(pids), ClaudeSessions.layer({ configDirectories: [`${root}/claude`] })).pipe(
    Layer.provideMerge(layer({ root, vantage: "here" }))
  )

const processes = (pids: ReadonlySet<number>) =>
  Layer.effect(
    ProcessTable.ProcessTable,
    Effect.map(ProcessTable.ProcessTable, (table) =>
      ProcessTable.ProcessTable.of({
        ...table,
        snapshot: Effect.map(table.snapshot, (look) => {
          if (look._tag === "NotConsulted") return look
          const parents = new Map(look.processes.map(({ pid, parent }) => [pid, parent]))
          const isOwn = (pid: number | undefined, depth = 0): boolean =>
            pid !== undefined &&
            depth < parents.size &&
            (pid === look.self.pid || pids.has(pid) || isOwn(parents.get(pid), depth + 1))
          return {
            ...look,
            bootedAt: Date.now() - upFor.days * 24 * 60 * 60 * 1000,
            processes: look.processes.filter(({ pid }) => isOwn(pid))
          }
        })
      })
    )
  )
