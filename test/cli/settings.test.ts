import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as Settings from "../../src/cli/Settings.ts"
import * as SettingsUndo from "../../src/cli/SettingsUndo.ts"
import { Gen } from "../../src/testing/index.ts"

type Json = Settings.Settings[string]

const runs = (command: string): Json => ({ type: "command", command })

const groups = Gen.array(
  Gen.element<Json>([
    { hooks: [runs("mine")] },
    { matcher: "startup", hooks: [runs("mine"), runs("another")] },
    { hooks: [] },
    {}
  ]),
  { maxLength: 2 }
)

const hooks = Gen.map(
  Gen.array(
    Gen.map(Gen.array(groups, { minLength: 1, maxLength: 1 }), ([groups = []]) => groups),
    { maxLength: 3 }
  ),
  (lists): Json => Object.fromEntries(lists.map((list, at) => [["SubagentStop", "Stop", "SessionStart"][at], list]))
)

const fields = Gen.array(
  Gen.oneOf(
    Gen.map(hooks, (value): readonly [string, Json] => ["hooks", value]),
    Gen.element<readonly [string, Json]>([
      ["statusLine", runs("mine")],
      ["statusLine", {}],
      ["model", "opus"],
      ["env", { 2: "b", 1: "a" }],
      ["__proto__", [1, 2.5, null]]
    ])
  ),
  { maxLength: 4 }
)

const layouts: ReadonlyArray<(settings: Settings.Settings) => string> = [
  (settings) => `${JSON.stringify(settings, null, 2)}\n`,
  (settings) => JSON.stringify(settings),
  (settings) => `\uFEFF${JSON.stringify(settings, null, "\t")}\n`.replaceAll("\n", "\r\n"),
  (settings) => JSON.stringify(settings).replaceAll(/[[\]{},:]/g, " $& "),
  (settings) => (Object.keys(settings).length === 0 ? "" : JSON.stringify(settings, null, 3))
]

/** A settings file, or none. */
const files = Gen.mostly(
  6,
  Gen.flatMap(fields, (fields) => Gen.map(Gen.element(layouts), (print) => print(Object.fromEntries(fields)))),
  Gen.none
)

const wishes = Gen.element<Settings.Wanted | "remove">([
  { hook: "node /a/session-liveness-hook.js", statusLine: "node /a/session-liveness-status-line.js" },
  { hook: "node /a/session-liveness-hook.js --session-names", statusLine: "node /a/session-liveness-status-line.js" },
  { hook: "node '/b c/session-liveness-hook.js'", statusLine: "node '/b c/session-liveness-status-line.js'" },
  "remove"
])

const parse = (text: string): Settings.Written => Result.getOrThrow(Settings.parse(text))

/** A file, and the copies that are kept of it, the latest first. */
interface Lying {
  readonly text: string | undefined
  readonly copies: ReadonlyArray<string>
}

const write = ({ text, copies }: Lying, after: string | undefined): Lying =>
  after === text ? { text, copies } : { text: after, copies: text === undefined ? copies : [text, ...copies] }

const remove = (lying: Lying): Lying => {
  const now = parse(lying.text ?? "")
  return Settings.hasOurs(now.settings) ? write(lying, SettingsUndo.before(now, lying.copies.map(parse))) : lying
}

const setup = (lying: Lying, wish: Settings.Wanted | "remove"): Lying =>
  wish === "remove" ? remove(lying) : write(lying, Settings.printAdded(parse(lying.text ?? ""), wish))

const edits: ReadonlyArray<(settings: Settings.Settings) => Settings.Settings> = [
  (settings) => ({ ...settings, edited: [{}] }),
  (settings) => ({ edited: "", ...settings }),
  ({ hooks, ...settings }) => ({
    ...settings,
    hooks: { ...(typeof hooks === "object" ? hooks : {}), Stop: [{ hooks: [runs("edited")] }] }
  }),
  (settings) => settings
]

describe("the settings without ours", () => {
  it.prop(
    "are byte for byte what they were, however often setup ran, and no file where there was none",
    [files, Gen.array(wishes, { minLength: 1, maxLength: 5 })],
    ([text, wishes]) => {
      assert.strictEqual(remove(wishes.reduce(setup, { text, copies: [] })).text, text)
    },
    { arbitrary: { runs: 2000 } }
  )

  it.prop(
    "keep whatever somebody wrote in between",
    [files, Gen.array(wishes, { maxLength: 3 }), Gen.element(edits), Gen.element(layouts), Gen.element([true, false])],
    ([text, wishes, edit, layout, withCopies]) => {
      const lying = wishes.reduce(setup, { text, copies: [] })
      const written = layout(edit(parse(lying.text ?? "").settings))
      const left = remove({ text: written, copies: withCopies ? lying.copies : [] }).text
      const expected = edit(parse(text ?? "").settings)
      const { settings } = parse(left ?? "")
      assert.isFalse(Settings.hasOurs(settings))
      // Without the copies nobody knows what was empty before.
      assert.deepStrictEqual(withCopies ? settings : full(settings), withCopies ? expected : full(expected))
      if (left === undefined) assert.deepStrictEqual(full(expected), {})
    },
    { arbitrary: { runs: 2000 } }
  )
})

/** Without hooks that are empty. */
const full = ({ hooks, ...rest }: Settings.Settings): Settings.Settings => {
  const held = Object.entries(typeof hooks === "object" && hooks !== null ? hooks : {}).filter(
    ([, list]) => Array.isArray(list) && list.length > 0
  )
  return held.length === 0 ? rest : { ...rest, hooks: Object.fromEntries(held) }
}
