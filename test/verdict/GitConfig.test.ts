import { assert, describe, it } from "@effect/vitest"
import * as GitConfig from "../../src/verdict/core/GitConfig.ts"

const parsed = (...items: ReadonlyArray<string>): GitConfig.GitConfig => {
  const config = GitConfig.parse(items.map((item) => `${item}\0`).join(""))
  assert.isDefined(config)
  return config
}

describe("GitConfig", () => {
  it("keeps every value in git's order; the last counts", () => {
    const config = parsed("core.bare\nfalse", "a.b\none\ntwo", "core.bare\ntrue", "core.flag", "c.d\n")
    assert.deepStrictEqual(
      [...config],
      [
        ["core.bare", ["false", "true"]],
        ["a.b", ["one\ntwo"]],
        ["core.flag", ["true"]],
        ["c.d", [""]]
      ]
    )
    assert.strictEqual(GitConfig.last(config, "core.bare"), "true")
    assert.isUndefined(GitConfig.last(config, "not.there"))
  })

  it("gives nothing of a list that was cut off", () => {
    assert.isUndefined(GitConfig.parse("core.bare\ntrue\0core.fl"))
    assert.strictEqual(GitConfig.parse("")?.size, 0)
  })

  it("tells what is true as git spells it", () => {
    for (const value of ["true", "Yes", "on", "1"])
      assert.isTrue(GitConfig.isTrue(parsed(`a.b\n${value}`), "a.b"), value)
    for (const value of ["false", "no", "off", "0", ""]) {
      assert.isFalse(GitConfig.isTrue(parsed(`a.b\n${value}`), "a.b"), value)
    }
    assert.isTrue(GitConfig.isTrue(parsed("a.b"), "a.b"))
    assert.isFalse(GitConfig.isTrue(parsed("a.b\ntrue", "a.b\nfalse"), "a.b"))
  })

  it("tells where a worktree may be configured otherwise", () => {
    assert.isTrue(GitConfig.differsByWorktree(parsed("extensions.worktreeconfig\ntrue")))
    assert.isTrue(GitConfig.differsByWorktree(parsed("core.bare\nfalse", "includeif.gitdir:/x/.path\n/y")))
    assert.isFalse(GitConfig.differsByWorktree(parsed("core.bare\nfalse", "include.path\n/y")))
  })

  it("disarms filters and hooks, or says that it cannot", () => {
    const options = GitConfig.disarming(parsed("filter.lfs.clean\nx", "filter.lfs.smudge\ny", "core.bare\nfalse"))
    assert.deepStrictEqual(
      options?.filter((option) => option !== "-c"),
      ["filter.lfs.clean=", "filter.lfs.smudge=", "filter.lfs.process=", "filter.lfs.required=false"]
    )
    assert.deepStrictEqual(GitConfig.disarming(parsed("core.bare\nfalse")), [])
    assert.isUndefined(GitConfig.disarming(parsed("filter.a=b.clean\nx")))
  })
})
