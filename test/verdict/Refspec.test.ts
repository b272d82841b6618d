import { assert, describe, it } from "@effect/vitest"
import * as GitConfig from "../../src/verdict/core/GitConfig.ts"
import * as Refspec from "../../src/verdict/core/Refspec.ts"

const sharing = (text: string) => Refspec.sharing(GitConfig.parse(text) ?? new Map())

describe("Refspec.sharing: which settings share refs/reclaimed", () => {
  const shares: ReadonlyArray<readonly [key: string, value: string]> = [
    ["remote.origin.fetch", "+refs/*:refs/*"],
    ["remote.origin.fetch", "refs/heads/*:refs/reclaimed/*"],
    ["remote.origin.fetch", "+refs/heads/a:refs/reclaimed/a"],
    ["remote.origin.fetch", "+refs/heads/*:refs/rec*"],
    ["remote.origin.fetch", "+refs/heads/*:refs/reclaimed/x/*"],
    ["remote.origin.push", "refs/*:refs/*"],
    ["remote.origin.push", "+refs/reclaimed/*"],
    ["remote.a.b.mirror", "true"],
    ["remote.origin.mirror", "1"]
  ]
  for (const [key, value] of shares) {
    it(`${key} = ${value}`, () => assert.include(sharing(`${key}\n${value}\0`), `${key} = ${value} `))
  }

  it("a key without a value is true", () =>
    assert.include(sharing("remote.origin.mirror\0"), "remote.origin.mirror = true "))

  const does: ReadonlyArray<readonly [key: string, value: string]> = [
    ["remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"],
    ["remote.origin.fetch", "+refs/pull/*/head:refs/remotes/origin/pr/*"],
    ["remote.origin.fetch", "refs/reclaimed/*:refs/theirs/*"],
    ["remote.origin.fetch", "refs/heads/main"],
    ["remote.origin.fetch", "^refs/reclaimed/*"],
    ["remote.origin.push", "refs/heads/*:refs/reclaimed/*"],
    ["remote.origin.fetch", "^refs/heads/*:refs/reclaimed/*"],
    ["remote.origin.push", "refs/+reclaimed/*"],
    ["remote.origin.push", "HEAD"],
    ["remote.origin.push", ":"],
    ["remote.origin.mirror", "false"],
    ["remote.origin.mirror", "Off"],
    ["remote.origin.mirror", "no"],
    ["remote.origin.mirror", "00"],
    ["remote.origin.mirror", ""],
    ["my.remote.origin.mirror", "true"],
    ["remote.origin.mirrors", "true"],
    ["alias.x", "+refs/*:refs/*"]
  ]
  for (const [key, value] of does) {
    it(`not ${key} = ${value}`, () => assert.isUndefined(sharing(`${key}\n${value}\0`)))
  }

  it("finds one among others", () =>
    assert.include(
      sharing("remote.a.fetch\n+refs/heads/*:refs/remotes/a/*\0remote.b.fetch\n+refs/*:refs/*\0"),
      "remote.b.fetch"
    ))
})
