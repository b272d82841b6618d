import { assert, describe, it } from "@effect/vitest"
import { OwnerSentinel } from "../../src/internal.ts"

const { Named, Nobody, Unreadable } = OwnerSentinel

const nothing: OwnerSentinel.Found = { _tag: "Nothing" }
const broken = (why: string): OwnerSentinel.Found => ({ _tag: "Broken", why })
const file = (text: string, size = Buffer.byteLength(text)): OwnerSentinel.Found => ({ _tag: "File", size, text })
const payload = (value: unknown): OwnerSentinel.Found => file(`${JSON.stringify(value)}\n`)

const created_at = "2026-01-05T18:30:00Z"
const createdAt = Date.UTC(2026, 0, 5, 18, 30)
const agent = { agent_id: "a-7", delegation_id: "d-1", parent_session_id: "3c1f9e52" }
const running: OwnerSentinel.Agent = { agentId: "a-7", delegationId: "d-1", parent: "3c1f9e52", endedAt: undefined }
const ended: OwnerSentinel.Agent = { ...running, endedAt: Date.UTC(2026, 0, 5, 19) }

const notWhole = Unreadable({
  why: "it is no whole payload, which has created_at, and an owner_session_id, an agent with agent_id, delegation_id and parent_session_id, or both"
})

describe("OwnerSentinel.decide", () => {
  const harbor = { owner: "harbor", agent: undefined, createdAt }
  const cases: ReadonlyArray<
    readonly [
      name: string,
      inAdmin: OwnerSentinel.Found,
      inWorktree: OwnerSentinel.Found,
      names: OwnerSentinel.Sentinel
    ]
  > = [
    ["none names nobody", nothing, nothing, Nobody()],
    [
      "the admin directory decides",
      payload({ created_at, owner_session_id: "harbor" }),
      payload({ created_at, owner_session_id: "quay" }),
      Named(harbor)
    ],
    ["else the worktree", nothing, payload({ created_at, owner_session_id: "harbor" }), Named(harbor)],
    ["the old mark in the worktree names nobody", nothing, file(""), Nobody()],
    ["it is none in the admin directory", file(""), file(""), notWhole],
    ["a file that is not empty is none, though it reads as if it were", nothing, file("", 3), notWhole],
    ["nor is one that was written to between the two looks", nothing, file("{", 0), notWhole],
    [
      "what cannot be read in the admin directory decides, too",
      broken("a link"),
      file(""),
      Unreadable({ why: "a link" })
    ],
    ["and so does what cannot be read in the worktree", nothing, broken("a link"), Unreadable({ why: "a link" })]
  ]
  for (const [name, inAdmin, inWorktree, names] of cases) {
    it(name, () => assert.deepStrictEqual(OwnerSentinel.decide(inAdmin, inWorktree), names))
  }
})

describe("OwnerSentinel.decide, of one payload", () => {
  const named: ReadonlyArray<
    readonly [name: string, value: unknown, owner: string | undefined, agent: OwnerSentinel.Agent | undefined]
  > = [
    ["a session", { created_at, owner_session_id: "harbor" }, "harbor", undefined],
    ["an agent that runs", { created_at, agent }, undefined, running],
    [
      "an agent that has ended",
      { created_at, agent: { ...agent, ended_at: "2026-01-05T19:00:00Z" } },
      undefined,
      ended
    ],
    ["both", { created_at, owner_session_id: "harbor", agent }, "harbor", running],
    ["a session, and null for an agent", { created_at, owner_session_id: "harbor", agent: null }, "harbor", undefined],
    [
      "an agent, and null for a session and an end",
      { created_at, owner_session_id: null, agent: { ...agent, ended_at: null } },
      undefined,
      running
    ],
    ["a session by its exact id", { created_at, owner_session_id: " Harbor " }, " Harbor ", undefined],
    [
      "a session, in another zone",
      { created_at: "2026-01-05T20:30:00+02:00", owner_session_id: "harbor" },
      "harbor",
      undefined
    ]
  ]
  for (const [name, value, owner, agent] of named) {
    it(`names ${name}`, () =>
      assert.deepStrictEqual(OwnerSentinel.decide(payload(value), nothing), Named({ owner, agent, createdAt })))
  }

  const nobody: ReadonlyArray<readonly [name: string, value: unknown]> = [
    ["neither", { created_at }],
    ["null for both", { created_at, owner_session_id: null, agent: null }]
  ]
  for (const [name, value] of nobody) {
    it(`of which nobody can be told with ${name}`, () =>
      assert.deepStrictEqual(OwnerSentinel.decide(payload(value), nothing), Unreadable({ why: "it names nobody" })))
  }

  const torn: ReadonlyArray<readonly [name: string, value: unknown]> = [
    ["no time", { owner_session_id: "harbor" }],
    ["a time that is none", { created_at: "yesterday", owner_session_id: "harbor" }],
    ["a day that does not exist", { created_at: "2026-02-30T00:00:00Z", owner_session_id: "harbor" }],
    ["an end that is none", { created_at, agent: { ...agent, ended_at: "soon" } }],
    ["an empty session", { created_at, owner_session_id: "" }],
    ["an empty agent", { created_at, agent: { ...agent, agent_id: "" } }],
    ["an empty delegation", { created_at, agent: { ...agent, delegation_id: "" } }],
    ["an empty parent", { created_at, agent: { ...agent, parent_session_id: "" } }],
    ["half an agent beside a session", { created_at, owner_session_id: "harbor", agent: { agent_id: "a-7" } }],
    ["a list around it", [{ created_at, owner_session_id: "harbor" }]]
  ]
  for (const [name, value] of torn) {
    it(`is not whole with ${name}`, () =>
      assert.deepStrictEqual(OwnerSentinel.decide(payload(value), nothing), notWhole))
  }
})

describe("OwnerSentinel.print", () => {
  const cases: ReadonlyArray<
    readonly [
      name: string,
      owner: string | undefined,
      agent: OwnerSentinel.Agent | undefined,
      text: Readonly<Record<string, unknown>>
    ]
  > = [
    ["a session", "harbor", undefined, { owner_session_id: "harbor" }],
    ["an agent that runs", undefined, running, { agent }],
    ["an agent that has ended", undefined, ended, { agent: { ...agent, ended_at: "2026-01-05T19:00:00.000Z" } }],
    ["both", "harbor", running, { owner_session_id: "harbor", agent }]
  ]
  for (const [name, owner, agent, text] of cases) {
    it(`of ${name} is one line of what it is known by, which names the same`, () => {
      const sentinel = Named({ owner, agent, createdAt })
      const printed = OwnerSentinel.print(sentinel)
      assert.match(printed, /^[^\n]+\n$/)
      assert.deepStrictEqual(JSON.parse(printed), { created_at: "2026-01-05T18:30:00.000Z", ...text })
      assert.deepStrictEqual(OwnerSentinel.decide(file(printed), nothing), sentinel)
    })
  }
})
