/**
 * Which tmux sessions have nothing left in them that works.
 */
import * as Interpreter from "../../machine/core/Interpreter.ts"
import * as Processes from "../../machine/core/Processes.ts"
import type * as Observation from "./Observation.ts"

/**
 * Those of `names` in whose panes nothing but shells runs. A pane whose process has ended is no pane; a process that is not
 * listed may be anything.
 */
export const of = (
  names: ReadonlyArray<string>,
  panes: ReadonlyArray<Observation.Pane>,
  { processes }: Pick<Processes.ProcessList, "processes">
): ReadonlySet<string> => {
  const byPid = new Map(processes.map((process) => [process.pid, process]))
  const children = Map.groupBy(processes, ({ parent }) => parent)
  const isIdle = (pid: number): boolean => {
    const process = byPid.get(pid)
    return (
      process !== undefined &&
      (Processes.isZombie(process) || Interpreter.isShellProcess(process)) &&
      (children.get(pid) ?? []).every((child) => isIdle(child.pid))
    )
  }
  const bySession = Map.groupBy(panes, ({ session }) => session)
  return new Set(names.filter((name) => (bySession.get(name) ?? []).every(({ pid }) => isIdle(pid))))
}
