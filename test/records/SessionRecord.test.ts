import { assert, describe, it } from "@effect/vitest"
import { Predicate, Result } from "effect"
import { SessionRecord } from "../../src/internal.ts"

const storeOf = (sessions: unknown): string => JSON.stringify({ sessions })

/** The only record of a store, which lies at `key`. */
const parse = (value: unknown, key = "harbor"): SessionRecord.StoredRecords =>
  Result.getOrThrow(SessionRecord.parseStore(storeOf({ [key]: value })))

const stored = { id: "harbor", tmux_name: "tm-harbor" }
const full = {
  ...stored,
  workspace_path: "/w/harbor",
  claude_session_id: "8d40b7a1",
  created_at: "1970-01-01T00:00:01Z",
  last_activity_at: "1970-01-01T01:00:02+01:00"
}

describe("SessionRecord.parseStore, of a record that decodes", () => {
  const bare = {
    id: "harbor",
    tmuxName: "tm-harbor",
    workspacePath: undefined,
    claudeId: undefined,
    createdAt: undefined,
    lastActivityAt: undefined
  }
  const whole = {
    ...bare,
    workspacePath: "/w/harbor",
    claudeId: "8d40b7a1",
    createdAt: 1000,
    lastActivityAt: 2000
  }
  const nulls = { workspace_path: null, claude_session_id: null, created_at: null, last_activity_at: null }
  const cases: ReadonlyArray<readonly [name: string, value: object, record: object]> = [
    ["reads all of it", full, whole],
    ["needs no more than its id and its tmux name", stored, bare],
    ["takes null for what is not told", { ...stored, ...nulls }, bare],
    ["cuts white space around the Claude id", { ...full, claude_session_id: " 8d40b7a1\n" }, whole],
    ["reads nothing else, not even that it is deleted", { ...full, status: "deleted", deleted: true }, whole]
  ]
  for (const [name, value, record] of cases) {
    it(name, () => assert.deepStrictEqual<unknown>(parse(value), { records: [record], undecoded: [] }))
  }
})

describe("SessionRecord.parseStore, of a record that does not decode", () => {
  const cases: ReadonlyArray<readonly [name: string, value: unknown, why: string, key?: string]> = [
    ["its id is another than its key", { ...full, id: "haven" }, "its id is not its key"],
    ["its id is no managed id", { ...full, id: "../harbor" }, "is no managed id", "../harbor"],
    ["its id has white space around it", { ...full, id: " harbor " }, "is no managed id", " harbor "],
    ["its Claude id is empty", { ...full, claude_session_id: "" }, "is no Claude session id"],
    ["its Claude id has a control character", { ...full, claude_session_id: "a\u0007b" }, "is no Claude session id"],
    ["it was created at no instant", { ...full, created_at: "yesterday" }, "is no RFC 3339 instant"],
    ["it was created at a day that is not", { ...full, created_at: "1970-02-30T00:00:00Z" }, "is no RFC 3339 instant"],
    ["it was active at no instant", { ...full, last_activity_at: "1970-01-01" }, "is no RFC 3339 instant"],
    ["it has no tmux name", { ...full, tmux_name: undefined }, '"tmux_name"'],
    ["it has no id", { ...full, id: undefined }, '"id"'],
    ["its time is a number", { ...full, created_at: 7 }, '"created_at"']
  ]
  for (const [name, value, says, key = "harbor"] of cases) {
    it(`keeps its workspace and says on one line why: ${name}`, () => {
      const { records, undecoded } = parse(value, key)
      const why = undecoded[0]?.why ?? ""
      assert.deepStrictEqual(records, [])
      assert.deepStrictEqual(
        undecoded.map(({ key, why, workspacePath }) => [key, why, workspacePath]),
        [[key, why, "/w/harbor"]]
      )
      assert.strictEqual(
        undecoded[0]?.tmuxName,
        Predicate.hasProperty(value, "tmux_name") ? value.tmux_name : undefined
      )
      assert.include(why, says)
      assert.notMatch(why, /[\r\n]|\s\s/)
    })
  }

  const placeless: ReadonlyArray<readonly [name: string, value: unknown]> = [
    ["is not told", { id: "harbor" }],
    ["is null", { id: "harbor", workspace_path: null }],
    ["is no text", { ...full, workspace_path: 7 }],
    ["cannot be told, for it is null", null],
    ["cannot be told, for it is a text", "/w/harbor"],
    ["cannot be told, for it is a list", ["/w/harbor"]]
  ]
  for (const [name, value] of placeless) {
    it(`has no workspace to keep when that ${name}`, () => {
      const { undecoded } = parse(value)
      assert.deepStrictEqual(
        undecoded.map(({ key, workspacePath }) => ({ key, workspacePath })),
        [{ key: "harbor", workspacePath: undefined }]
      )
    })
  }
})

describe("SessionRecord.parseStore, of a whole document", () => {
  it("reads each record by itself, and leaves none out", () => {
    const { records, undecoded } = Result.getOrThrow(
      SessionRecord.parseStore(
        storeOf({ a: { ...stored, id: "a" }, b: { ...stored, id: "c" }, d: null, e: { ...stored, id: "e" } })
      )
    )
    assert.deepStrictEqual<ReadonlyArray<string>>(
      records.map(({ id }) => id),
      ["a", "e"]
    )
    assert.deepStrictEqual(
      undecoded.map(({ key }) => key),
      ["b", "d"]
    )
  })

  it("of no sessions holds what no manager's does", () =>
    assert.deepStrictEqual(SessionRecord.parseStore('{"version":1,"sessions":{}}'), Result.succeed(SessionRecord.none)))

  const repeated: ReadonlyArray<readonly [text: string, key: string]> = [
    ['{"sessions":{"a":null},"sessions":{}}', '"sessions"'],
    ['{"sessions":{"a":{"id":"a"},"a":{"id":"a"}}}', '"a"'],
    ['{"sessions":{"a":{"workspace_path":"/w","b":[{"c":1}],"workspace\\u005fpath":"/x"}}}', '"workspace\\u005fpath"'],
    ['{ "sessions" : { "a" : { "id" : "a" , "}\\"" : 1 , "}\\"" : 2 } } }', '"}\\""']
  ]
  for (const [text, key] of repeated) {
    it(`is none that holds a key twice, of which one would be lost: ${text}`, () => {
      const read = SessionRecord.parseStore(text)
      assert.strictEqual(Result.isFailure(read) && read.failure.startsWith("holds the key "), true)
      assert.include(Result.isFailure(read) ? read.failure.replaceAll("\\\\", "\\") : "", key)
    })
  }

  it("may hold a text of many megabytes", () => {
    const long = JSON.stringify({ sessions: { a: { ...stored, id: "a", note: "\n".repeat(8_000_000) } } })
    assert.lengthOf(Result.getOrThrow(SessionRecord.parseStore(long)).records, 1)
  })

  it("may hold one key in many objects, as text, and twice in what no record is read from", () => {
    const within = '{"x":{"y":1,"y":2},"id":"a","tmux_name":"\\"id\\":","list":["id","id"]}'
    const { records, undecoded } = Result.getOrThrow(SessionRecord.parseStore(`{"id":1,"sessions":{"a":${within}}}`))
    assert.deepStrictEqual([records.length, undecoded], [1, []])
  })

  const others: ReadonlyArray<readonly [text: string, why: string]> = [
    ["", "is not valid JSON"],
    ['{"sessions":{}', "is not valid JSON"],
    ["null", 'has no object "sessions"'],
    ["[]", 'has no object "sessions"'],
    ["{}", 'has no object "sessions"'],
    ['{"sessions":null}', 'has no object "sessions"'],
    ['{"sessions":"a"}', 'has no object "sessions"'],
    ['{"sessions":[]}', 'has no object "sessions"']
  ]
  for (const [text, why] of others) {
    it(`${JSON.stringify(text)} ${why}`, () => assert.deepStrictEqual(SessionRecord.parseStore(text), Result.fail(why)))
  }
})
