import { assert, describe, it } from "@effect/vitest"
import * as Parsers from "./Parsers.ts"
import { share } from "./Share.ts"

describe("no parser throws, whatever it is fed", () => {
  for (const [name, parser] of Object.entries(Parsers.parsers)) {
    it(name, () => {
      assert.isTrue(parser.read(new TextEncoder().encode(parser.whole)), "what it is made of is not read")
      assert.isUndefined(Parsers.feed(parser, share(5_000), "parsers"))
    })
  }

  it("and one that would is found", () => {
    const parse = (bytes: Uint8Array): boolean => Boolean(JSON.parse(new TextDecoder().decode(bytes)))
    assert.isDefined(Parsers.feed({ whole: "{}", read: parse }, 100, "parsers"))
  })
})
