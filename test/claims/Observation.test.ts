import { assert, describe, it } from "@effect/vitest"
import { Option, Result } from "effect"
import { Liveness, Observation, Processes } from "../../src/internal.ts"
import * as Cases from "../Cases.ts"
import { processOf } from "../machine/processOf.ts"
import * as TmuxServer from "../../src/machine/core/TmuxServer.ts"

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

const ended = (stdout: string): Observation.Call => ({ exitCode: 0, stdout, stderr: "" })
const failed = (stderr: string): Observation.Call => ({ exitCode: 1, stdout: "", stderr })

/** Why there is no answer; of one that there is, nothing. */
const failureOf = (call: Observation.Call) => Result.getFailure(Observation.answerOf(call)).pipe(Option.getOrUndefined)

describe("Observation.answerOf", () => {
  it("gives the names in the order in which the server lists them, and fromTmux sorts them", () => {
    const call = ended("session $2 b\nsession $0 a\nserver 7 5\n")
    const server = { pid: 7, startTime: 5 }
    assert.deepStrictEqual(Observation.answerOf(call), Result.succeed({ server, names: ["b", "a"] }))
    assert.deepStrictEqual(Observation.fromTmux(call), Observation.Answered({ servers: [server], names: ["a", "b"] }))
  })

  const { ServerAbsent, ConnectFailed, VersionMismatch, Failed } = Observation.Reason
  const reasons: ReadonlyArray<readonly [said: string, reason: Observation.SocketReason]> = [
    ["", Failed({ detail: "exit 1, nothing said" })],
    ["\n", Failed({ detail: "exit 1, nothing said" })],
    ["lost server", Failed({ detail: "lost server" })],
    ["a warning\nlost server\n", Failed({ detail: "lost server" })],
    ["no server running on /s", ServerAbsent({ detail: "no server running on /s" })],
    [
      "error connecting to /s (No such file or directory)",
      ServerAbsent({ detail: "error connecting to /s (No such file or directory)" })
    ],
    [
      "error connecting to /s (Permission denied)",
      ConnectFailed({ detail: "error connecting to /s (Permission denied)" })
    ],
    [
      "plugin: error connecting to /s (No such file or directory)",
      Failed({ detail: "plugin: error connecting to /s (No such file or directory)" })
    ],
    [
      "error connecting to /s (Connection refused) by a wrapper",
      ConnectFailed({ detail: "error connecting to /s (Connection refused) by a wrapper" })
    ],
    ["error connecting to /s", ConnectFailed({ detail: "error connecting to /s" })],
    ["server version is too old for client", VersionMismatch({ detail: "server version is too old for client" })],
    ["plugin: protocol version mismatch (8)", Failed({ detail: "plugin: protocol version mismatch (8)" })]
  ]
  for (const [said, reason] of reasons) {
    it(`comes, after ${JSON.stringify(said)}, to ${reason._tag}, with what was seen`, () =>
      assert.deepStrictEqual(failureOf(failed(said)), reason))
  }

  it("comes to Failed after death by a signal, whatever was said", () => {
    const killed = { exitCode: null, stdout: "", stderr: "no server running on /s\n" }
    assert.deepStrictEqual(failureOf(killed), Failed({ detail: "killed by a signal" }))
  })

  const malformed: ReadonlyArray<readonly [name: string, stdout: string]> = [
    ["a control character in one name of several", "session $0 a\nsession $1 b\u0007\nserver 7 5\n"],
    ["a server without a process", "server 0 5\n"],
    ["a pid that no number holds", "server 9007199254740992 5\n"],
    ["a start time that no number holds", "server 7 9007199254740992\n"]
  ]
  for (const [name, stdout] of malformed) {
    it(`is malformed for ${name}`, () =>
      assert.deepStrictEqual(failureOf(ended(stdout)), Observation.Reason.Malformed({ detail: stdout })))
  }

  const details: ReadonlyArray<readonly [name: string, stdout: string, detail: string]> = [
    ["in words where nothing was", "", "nothing"],
    ["whole up to 200 characters", "x".repeat(200), "x".repeat(200)],
    ["cut, and says so, beyond them", "x".repeat(201), `${"x".repeat(200)}…`]
  ]
  for (const [name, stdout, detail] of details) {
    it(`tells what was seen ${name}`, () =>
      assert.deepStrictEqual(failureOf(ended(stdout)), Observation.Reason.Malformed({ detail })))
  }
})

describe("Observation.panesOf", () => {
  it("gives the process and the session of each pane, but for those whose process has ended", () => {
    assert.deepStrictEqual(
      Observation.panesOf(ended("pane %1 301 b\npane %2 0 gone\npane %3 302 a c\nserver 7 5\n")),
      Result.succeed([
        { id: "%1", pid: 301, session: "b" },
        { id: "%3", pid: 302, session: "a c" }
      ])
    )
  })

  for (const row of ["session $0 a", "pane %1 301", "pane %1 x a", "pane 301 a", "pane %1 9007199254740992 a"]) {
    it(`is malformed for a row of another shape: ${row}`, () => {
      const stdout = `pane %1 301 a\n${row}\nserver 7 5\n`
      assert.deepStrictEqual(
        Observation.panesOf(ended(stdout)),
        Result.fail(Observation.Reason.Malformed({ detail: stdout }))
      )
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

const serverOf = (given: Partial<Processes.Process>): Processes.Process =>
  processOf({ pid: 100, name: "tmux: server", executable: "/usr/bin/tmux", args: ["tmux"], ...given })

const self = serverOf({ pid: 7, name: "node", executable: "/usr/bin/node", args: ["node"] })

const list = (...processes: ReadonlyArray<Processes.Process>): Processes.ProcessList => ({
  self: { pid: 7, user: 1000 },
  bootedAt: 0,
  processes: [self, ...processes]
})

describe("TmuxServer.is", () => {
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
    it(name, () => assert.strictEqual(TmuxServer.is(serverOf(given)), expected))
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
      list(serverOf({}), serverOf({ pid: 101 })),
      ["a", "z"]
    ],
    [
      "a dead socket beside a server",
      [
        { socket: "a", answer: answer(100, "x") },
        { socket: "b", answer: failure("ServerAbsent") }
      ],
      list(serverOf({})),
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
      list(serverOf({}), serverOf({ pid: 101 })),
      "UnheardServer"
    ],
    [
      "a deleted socket of a living server",
      [{ socket: "a", answer: failure("ServerAbsent") }],
      list(serverOf({})),
      "UnheardServer"
    ],
    ["another user's server", [], list(serverOf({ user: 0 })), []],
    ["a server in a container", [], list(serverOf({ innerPids: [3] })), []],
    [
      "any other failure",
      [
        { socket: "a", answer: answer(100) },
        { socket: "b", answer: failure("ConnectFailed") }
      ],
      list(serverOf({})),
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

  it("gives the servers in the order of their pids, and the names sorted, each once", () => {
    const asked = [
      { socket: "a", answer: answer(30, "y") },
      { socket: "b", answer: answer(100, "y", "x") },
      { socket: "c", answer: answer(4) }
    ]
    for (const order of [asked, asked.toReversed()]) {
      assert.deepStrictEqual(
        Observation.join(order, undefined),
        Observation.Answered({
          servers: [4, 30, 100].map((pid) => ({ pid, startTime: 1 })),
          names: ["x", "y"]
        })
      )
    }
  })

  const { ServerAbsent, ProcessTable, UnheardServer } = Observation.Reason
  const reasons: ReadonlyArray<
    readonly [name: string, processes: Processes.ProcessList | undefined, reason: Observation.Reason]
  > = [
    ["no socket was there to ask", undefined, ServerAbsent({ detail: "no tmux socket is there" })],
    [
      "the process list is cut off",
      { ...list(), processes: [] },
      ProcessTable({ detail: "the list does not hold the process that asked" })
    ],
    ["a server was not heard, by its pid", list(serverOf({ pid: 101 })), UnheardServer({ pid: 101 })]
  ]
  for (const [name, processes, reason] of reasons) {
    it(`says that ${name}`, () =>
      assert.deepStrictEqual(Observation.join([], processes), Observation.Unobserved({ reason })))
  }
})
