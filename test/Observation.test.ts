import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { Liveness, Observation, Processes } from "../src/index.ts"
import * as Cases from "./Cases.ts"

describe("Observation.fromTmux", () => {
  const { cases } = Cases.read<{
    readonly cases: ReadonlyArray<{
      readonly name: string
      readonly exit: number | null
      readonly stdout: string
      readonly stderr: string
      readonly expect:
        | { readonly tag: "Answered"; readonly server: Observation.Server; readonly names: ReadonlyArray<string> }
        | { readonly tag: "Unobserved"; readonly reason: string }
    }>
  }>("tmux-answers")
  for (const { name, exit, stdout, stderr, expect } of cases) {
    it(name, () => {
      const observation = Observation.fromTmux({ exitCode: exit, stdout, stderr })
      if (expect.tag === "Answered") {
        assert.deepStrictEqual(observation, Observation.Answered({ servers: [expect.server], names: expect.names }))
      } else {
        assert.strictEqual(observation._tag, "Unobserved")
        assert.strictEqual<unknown>(observation._tag === "Unobserved" && observation.reason._tag, expect.reason)
      }
    })
  }
})

describe("Liveness.livenessOf", () => {
  const cases = Cases.read<
    ReadonlyArray<{
      readonly name: string
      readonly observation:
        | { readonly tag: "Answered"; readonly names: ReadonlyArray<string> }
        | { readonly tag: "Unobserved"; readonly reason: "ServerAbsent" }
      readonly record: Liveness.Facts
      readonly observedAt: number
      readonly expect: { readonly tag: "SessionGone" } | { readonly tag: "Live"; readonly because: string }
    }>
  >("liveness")
  for (const given of cases) {
    it(given.name, () => {
      const observation =
        given.observation.tag === "Answered"
          ? Observation.Answered({ servers: [], names: given.observation.names })
          : Observation.Unobserved({ reason: Observation.Reason[given.observation.reason]({ detail: "" }) })
      const liveness = Liveness.livenessOf(observation, given.record, given.observedAt)
      assert.strictEqual(liveness._tag, given.expect.tag)
      if (liveness._tag === "Live" && given.expect.tag === "Live") {
        assert.strictEqual(liveness.because._tag, given.expect.because)
      }
    })
  }
})

const process_ = (given: Partial<Processes.Process>): Processes.Process => ({
  pid: 100,
  parent: 1,
  user: 1000,
  name: "tmux: server",
  executable: "/usr/bin/tmux",
  terminal: false,
  innerPids: [],
  state: "S",
  startTicks: "1",
  startedAt: 0,
  args: ["tmux"],
  ...given
})

const self = process_({ pid: 7, name: "node", executable: "/usr/bin/node", args: ["node"] })

const list = (...processes: ReadonlyArray<Processes.Process>): Processes.ProcessList => ({
  self: { pid: 7, user: 1000 },
  bootedAt: 0,
  processes: [self, ...processes]
})

describe("Processes.isTmuxServer", () => {
  const cases: ReadonlyArray<readonly [string, Partial<Processes.Process>, boolean]> = [
    ["its title", { executable: undefined, args: [] }, true],
    ["a title of another program", { name: "tmate: server", executable: undefined, args: [] }, true],
    ["a title cut at 15 bytes", { name: "tmux-next: serv", executable: undefined, args: [] }, true],
    ["a name of 15 bytes without a cut title", { name: "tmux-next-serve", executable: "/x", args: ["x"] }, false],
    ["a cut title that is shorter", { name: "tmux: serv", executable: "/x", args: ["x"] }, false],
    ["its executable alone", { name: "x", args: ["x"] }, true],
    ["an executable that was replaced", { name: "x", executable: "/usr/bin/tmux (deleted)", args: ["x"] }, true],
    ["its first argument alone", { name: "x", executable: undefined, args: ["/opt/bin/tmate"] }, true],
    ["a client that says so", { name: "tmux: client" }, false],
    ["a client with a terminal", { name: "tmux", terminal: true }, false],
    ["a server in the foreground", { terminal: true }, true],
    ["a title with a colon at its end, on a terminal", { name: "tmux-next:", terminal: true }, false],
    ["a zombie", { state: "Z" }, false],
    ["another program", { name: "vim", executable: "/usr/bin/vim", args: ["vim"] }, false]
  ]
  for (const [name, given, expected] of cases) {
    it(name, () => assert.strictEqual(Processes.isTmuxServer(process_(given)), expected))
  }
})

describe("Observation.join", () => {
  const answer = (pid: number, ...names: ReadonlyArray<string>) =>
    Result.succeed({ server: { pid, startTime: 1 }, names })
  const failure = (tag: "ServerAbsent" | "TimedOut" | "ConnectFailed") =>
    Result.fail(Observation.Reason[tag]({ detail: tag }))
  const tagOf = (observation: Observation.Observation) =>
    observation._tag === "Answered" ? observation.names : observation.reason._tag

  const cases: ReadonlyArray<
    readonly [string, ReadonlyArray<Observation.Asked>, Processes.ProcessList | undefined, unknown]
  > = [
    ["no socket and no server: a reboot", [], list(), []],
    ["no socket and no process table", [], undefined, "ServerAbsent"],
    [
      "names of two servers",
      [
        { socket: "b", answer: answer(100, "z") },
        { socket: "a", answer: answer(101, "a") }
      ],
      list(process_({}), process_({ pid: 101 })),
      ["a", "z"]
    ],
    [
      "a dead socket beside a server",
      [
        { socket: "a", answer: answer(100, "x") },
        { socket: "b", answer: failure("ServerAbsent") }
      ],
      list(process_({})),
      ["x"]
    ],
    [
      "the same without a process table",
      [
        { socket: "a", answer: answer(100, "x") },
        { socket: "b", answer: failure("ServerAbsent") }
      ],
      undefined,
      "ServerAbsent"
    ],
    ["answers alone without a process table", [{ socket: "a", answer: answer(100, "x") }], undefined, ["x"]],
    [
      "a server that nobody heard",
      [{ socket: "a", answer: answer(100, "x") }],
      list(process_({}), process_({ pid: 101 })),
      "UnheardServer"
    ],
    [
      "a deleted socket of a living server",
      [{ socket: "a", answer: failure("ServerAbsent") }],
      list(process_({})),
      "UnheardServer"
    ],
    ["another user's server", [], list(process_({ user: 0 })), []],
    ["a server in a container", [], list(process_({ innerPids: [3] })), []],
    [
      "any other failure",
      [
        { socket: "a", answer: answer(100) },
        { socket: "b", answer: failure("ConnectFailed") }
      ],
      list(process_({})),
      "ConnectFailed"
    ],
    [
      "the first failure by socket is named",
      [
        { socket: "b", answer: failure("ConnectFailed") },
        { socket: "a", answer: failure("TimedOut") }
      ],
      list(),
      "TimedOut"
    ],
    ["a process list that was cut off", [], { ...list(), processes: [] }, "ProcessTable"]
  ]
  for (const [name, asked, processes, expected] of cases) {
    it(name, () => {
      assert.deepStrictEqual(tagOf(Observation.join(asked, processes)), expected)
      assert.deepStrictEqual(tagOf(Observation.join(asked.toReversed(), processes)), expected)
    })
  }
})
