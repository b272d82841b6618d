import { assert, describe, it } from "@effect/vitest"
import { newestCwd, prefixOf } from "../../src/verdict/core/TranscriptNames.ts"

describe("TranscriptNames", () => {
  it("each UTF-16 unit but ASCII letters and digits is a dash, up to 200", () => {
    assert.strictEqual(prefixOf("/w/my app/é😀.1"), "-w-my-app-----1")
    assert.strictEqual(prefixOf(`/${"a".repeat(300)}`), `-${"a".repeat(199)}`)
  })

  it("the newest cwd is that of the last line that tells one", () => {
    const lines = ['{"cwd":"/w/a"}', '{"type":"x"}', '{"cwd":"/w/b"}', '{"cwd":1}', '{"cwd":"/w/c']
    assert.strictEqual(newestCwd(lines.join("\n")), "/w/b")
    for (const none of ['"cwd"', "null", '["cwd"]', '{"a":{"cwd":"/w"}}', '{"cwd":{}}']) {
      assert.strictEqual(newestCwd(`{"cwd":"/w/a"}\n${none}\n`), "/w/a", none)
      assert.isUndefined(newestCwd(none), none)
    }
    assert.isUndefined(newestCwd(""))
  })
})
