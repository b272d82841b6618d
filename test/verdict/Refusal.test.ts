import { assert, describe, it } from "@effect/vitest"
import { Shell } from "../../src/internal.ts"
import { execFileSync } from "node:child_process"
import * as Refusal from "../../src/verdict/core/Refusal.ts"

const words = [
  "plain-1.x",
  "",
  "two words",
  "it's",
  "$(touch x)",
  "`x`",
  "a;b|c&d>e",
  "back\\slash",
  '"quoted"',
  "~",
  "-n",
  "line\nbreak",
  "tab\tand'quote\\",
  "é 💸",
  "bell\u0007\u001b[31m",
  "\u0085next"
]

describe("Shell.quote", () => {
  it("gives back every word when a shell reads the command", () => {
    const command = Shell.command("printf", "%s\\0", ...words)
    const printed = execFileSync("bash", ["-c", command], { encoding: "utf8", env: { LC_ALL: "C.UTF-8" } })
    assert.deepStrictEqual(printed.split("\0").slice(0, -1), words)
  })

  it("leaves plain words as they are, and lets no control character through", () => {
    assert.strictEqual(Shell.quote("/w/r-1.x:y"), "/w/r-1.x:y")
    for (const word of words) assert.notMatch(Shell.quote(word), /[\u0000-\u001f\u007f-\u009f]/)
  })
})

describe("Refusal", () => {
  it("names an instant to the minute, rounded up, so that it has passed by then", () => {
    assert.strictEqual(Refusal.instant(0), "1970-01-01 00:00 UTC")
    assert.strictEqual(Refusal.instant(1), "1970-01-01 00:01 UTC")
    assert.strictEqual(Refusal.instant(60_000), "1970-01-01 00:01 UTC")
    for (const none of [NaN, Infinity, 8.64e15 + 1]) assert.strictEqual(Refusal.instant(none), "no date")
  })

  it("names what is past to the minute, never later than it was", () => {
    assert.strictEqual(Refusal.past(59_999), "1970-01-01 00:00 UTC")
    assert.strictEqual(Refusal.past(60_000), "1970-01-01 00:01 UTC")
    assert.strictEqual(Refusal.past(NaN), "no date")
  })

  it("has either an instant or a command", () => {
    const { passesAt, advice, unknown } = Refusal.until(60_000, "it is young")
    assert.deepStrictEqual([passesAt, advice, unknown], [60_000, undefined, false])
    for (const [refusal, unknown] of [
      [Refusal.because("it is dirty", Refusal.git("/w/a b", "status")), false],
      [Refusal.unknown("it is not known", Refusal.git("/w/a b", "status")), true]
    ] as const) {
      assert.deepStrictEqual(
        [refusal.passesAt, refusal.advice, refusal.unknown],
        [undefined, "git -C '/w/a b' status", unknown]
      )
    }
    assert.strictEqual(Refusal.explain("/w/a\nb"), "session-liveness explain $'/w/a\\x0ab'")
  })
})
