/**
 * A machine on which tmux answers, and lists these names.
 */
import { NodeFileSystem } from "@effect/platform-node"
import { Layer } from "effect"
import { ClaudeSessions, ProcessTable } from "../../src/internal.ts"
import { FakeTmux } from "../../src/testing/index.ts"

/** All that claims are gathered from, the records and the links aside. */
export const listing = (...names: ReadonlyArray<string>) =>
  Layer.mergeAll(
    FakeTmux.layer({
      reach: "Here",
      sockets: [{ path: "/s", answers: { pid: 1, startTime: 1, sessions: names.map((name) => ({ name, panes: [] })) } }]
    }),
    ProcessTable.layerNone,
    ClaudeSessions.layerNone,
    NodeFileSystem.layer
  )
