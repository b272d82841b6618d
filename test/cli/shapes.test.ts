import { assert, describe, it } from "@effect/vitest"
import { Option, Result } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { ClaudeRegistry, OwnerSentinel, SavingsTotal, SessionRecord } from "../../src/internal.ts"
import { project } from "../examples/Program.ts"

const section = fs
  .readFileSync(path.join(project, "src/README.md"), "utf8")
  .split("## What these files and events look like")[1]
  ?.split("\n## ")[0]

const blocks = [...(section ?? "").matchAll(/```json\n([^]*?)```/g)].map(([, text = ""]) => text)

describe("the shapes in the README of src", () => {
  it("are what the library reads", () => {
    const [events = "", records = "", row = "", sentinel = "", entry = "", ...others] = blocks
    assert.deepStrictEqual(others, [])
    const { SessionStart, SubagentStop, statusLine } = JSON.parse(events)
    assert.isString(SessionStart.session_id)
    assert.isString(SubagentStop.agent_id)
    assert.isString(statusLine.session_id)
    const stored = Result.getOrThrow(SessionRecord.parseStore(records))
    assert.deepStrictEqual([stored.records.length, stored.undecoded], [1, []])
    assert.isFalse(Object.values(stored.records[0] ?? {}).includes(undefined))
    const total = SavingsTotal.fold(row, new Set([SessionStart.session_id]))
    assert.deepStrictEqual([total.tokensSaved, SavingsTotal.segment(total)], [1200, "💸~$0.36"])
    const named = OwnerSentinel.decide({ _tag: "Nothing" }, { _tag: "File", size: sentinel.length, text: sentinel })
    assert.strictEqual(named._tag === "Named" ? named.agent?.parent : named._tag, SessionStart.session_id)
    assert.isTrue(Option.isSome(ClaudeRegistry.parseEntry(4711, entry)))
  })
})
