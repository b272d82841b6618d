import type { Processes } from "../../src/internal.ts"

/** A process of ours of no kind, except for what is given. */
export const processOf = (given: Partial<Processes.Process> = {}): Processes.Process => ({
  pid: 5,
  parent: 1,
  user: 1000,
  terminal: false,
  innerPids: [],
  name: "node",
  executable: undefined,
  args: [],
  state: "S",
  startTicks: "50",
  startedAt: 1,
  ...given
})
