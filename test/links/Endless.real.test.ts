import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import { SessionLinks } from "../../src/internal.ts"
import { StatusLine } from "../../src/node/index.ts"
import { tempRoot } from "../TempRoot.ts"
import * as Answers from "./Answers.ts"
import * as Child from "./Child.ts"

const readers = [...Answers.layerNames, "status line"] as const

/** What the programs of one reader say, and the most memory that they took beyond what was loaded, in bytes. */
interface Told {
  readonly linked: ReadonlyArray<string>
  readonly history: string
  readonly peak: number
}

/** Each is put in the place of one link file of three. */
const endless: Readonly<Record<string, (place: string) => void>> = {
  "a sparse file of 1.9 GB": (place) => {
    fs.writeFileSync(place, "")
    fs.truncateSync(place, 1.9e9)
  },
  // Of size 0, and there is more to read than any disk holds.
  "a link to a file without an end": (place) => fs.symlinkSync("/proc/self/pagemap", place)
}

describe("a link file that does not end is unreadable at once, in little memory, and hides no other", () => {
  for (const [what, make] of Object.entries(endless)) {
    for (const reader of readers) {
      it.effect.skipIf(process.platform !== "linux")(
        `${what}, over ${reader}`,
        () =>
          Effect.gen(function* () {
            const root = yield* tempRoot
            fs.mkdirSync(`${root}/usage/session-links`, { recursive: true })
            fs.writeFileSync(`${root}/usage/session-links/m1`, "asked\nsibling\n")
            make(`${root}/usage/session-links/m2`)
            fs.writeFileSync(`${root}/usage/session-links/m3`, "other\n")
            const { linked, history, peak }: Told = JSON.parse(
              yield* Child.run(process.execPath, [Child.script("reader.ts"), reader, root])
            )
            assert.deepStrictEqual(linked, ["asked", "sibling"])
            assert.match(history, /session-links\/m2 (is larger than 1 MiB|could not be read)/)
            assert.isBelow(peak, 48 * 1024 * 1024)
          }),
        { timeout: Child.patience }
      )
    }
  }
})

describe("a link file that is too large", () => {
  for (const layer of Answers.layerNames) {
    it.effect(`takes no link and is not healed, over ${layer}`, () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        const file = `${root}/usage/session-links/m1`
        fs.mkdirSync(`${root}/usage/session-links`, { recursive: true })
        fs.writeFileSync(file, "")
        fs.truncateSync(file, 1.9e9)
        yield* Effect.gen(function* () {
          assert.isFalse(yield* SessionLinks.recordLink("m1", "c1"))
          assert.deepStrictEqual(yield* SessionLinks.heal, [])
        }).pipe(Answers.on(layer, root))
        assert.strictEqual(fs.statSync(file).size, 1.9e9)
        assert.deepStrictEqual(StatusLine.linkedClaudeIds({ root }, "c1"), [])
      })
    )
  }
})
