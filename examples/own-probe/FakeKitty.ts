/**
 * kitty as it would answer in a world of the laws: its servers, what stands where none is, and what goes wrong with the
 * text.
 */
import { Effect, Layer } from "effect"
import { Observation, TmuxProbe } from "session-liveness"
import { FakeTmux, SweepWorld } from "session-liveness/testing"
import { Kitty, type Tabs } from "./KittyProbe.ts"

const socketOf = ({ answers, path }: FakeTmux.Socket): string =>
  `${path}/kitty-${typeof answers === "object" && "pid" in answers ? answers.pid : 9}`

const tabs = ({ sessions }: FakeTmux.Server): Tabs =>
  sessions.map(({ name, panes }) => ({ title: name, windows: panes.map((pid) => ({ pid })) }))

/** What tmux would say there, as kitty says it. */
const said = (answers: FakeTmux.Server | Observation.Call): Observation.Call => {
  if ("pid" in answers) return { exitCode: 0, stdout: JSON.stringify([{ tabs: tabs(answers) }]), stderr: "" }
  return /Connection refused|No such file/.test(answers.stderr)
    ? { ...answers, stderr: "Error: dial unix: connect: connection refused\n" }
    : answers
}

export const layer = (world: () => SweepWorld.SweepWorld, spoils: ReadonlyArray<FakeTmux.Spoil>): Layer.Layer<Kitty> =>
  Layer.sync(Kitty, () => {
    let calls = 0
    return Kitty.of({
      sockets: Effect.suspend(() => {
        const { reach, sockets } = SweepWorld.toTmux(world())
        return reach === "Here"
          ? Effect.succeed(sockets.map(socketOf))
          : Effect.fail(
              new TmuxProbe.TmuxProbeError({ reason: Observation.Reason.SocketDirMissing({ detail: "no kitty here" }) })
            )
      }),
      ls: (path) =>
        Effect.suspend(() => {
          calls++
          const socket = SweepWorld.toTmux(world()).sockets.find((socket) => socketOf(socket) === path)
          if (socket === undefined) {
            return Effect.succeed(said({ exitCode: 1, stdout: "", stderr: "(No such file or directory)" }))
          }
          if (socket.answers === "Never") return Effect.never
          return Effect.succeed(FakeTmux.spoil(said(socket.answers), spoils, calls))
        })
    })
  })
