import { assert, describe, it, vi } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import { SavingsLedger, SavingsTotal, SessionLinks } from "../../src/internal.ts"
import { StatusLine } from "../../src/node/index.ts"
import { LinkArbitraries, Gen, LinkFiles, LinkWorld } from "../../src/testing/index.ts"
import { tempRoot } from "../TempRoot.ts"
import * as Tree from "../Tree.ts"
import * as Answers from "./Answers.ts"

const row = (id: string, basis = "list") =>
  `${JSON.stringify({ ts: "t", session_id: id, technique: "x", tokens_saved: 5, cost_saved_usd: 0.5, basis })}\n`

/** Lines that a ledger is not meant to hold, and rows as they are written. */
const ledgerBytes = Gen.array(
  Gen.oneOf(
    Gen.map(LinkArbitraries.claudeId, (id) => Buffer.from(row(id))),
    Gen.element(
      [
        row("c1 "),
        row("c1", "漢"),
        row("c1", "x".repeat(300_000)),
        `\ufeff${row("c1")}`,
        `${"x".repeat(300_000)}\n`,
        row("c1").replace("c1", "\\u0063\\u0031"),
        row("c1").replace("5", "05"),
        `${row("c1").trimEnd()}\u0018\n`,
        row("c1").trimEnd(),
        "{\n",
        "\r\n"
      ].map((text) => Buffer.from(text))
    ),
    Gen.element([Buffer.from([0xff, 0xfe, 0x0a]), Buffer.from([0xe6, 0xbc]), Buffer.from("é\n", "latin1")])
  ),
  { maxLength: 6 }
)

const huge = Gen.element([
  ...Array.from({ length: 12 }, () => undefined),
  "x".repeat(70_000),
  `${"x".repeat(70_000)}\nc1\nc2\n`,
  `${"c1\n".repeat(25_000)}c3`
])

const given = Gen.struct({ world: LinkArbitraries.linkWorld, id: LinkArbitraries.askedClaudeId, ledgerBytes, huge })

const place = (path: string) => path.slice(LinkWorld.root.length + 1)

/** Makes the world under a real root, except for its permissions. */
const make = (root: string, world: LinkWorld.LinkWorld): void => {
  for (const [path, node] of Object.entries(LinkFiles.toTree(world))) {
    if (path === LinkWorld.root) continue
    const plain = "bytes" in node ? { base64: Buffer.from(node.bytes).toString("base64") } : node
    Tree.write(root, { [place(path)]: plain })
    if (node.mode === 0 && !("symlink" in node)) fs.chmodSync(`${root}/${place(path)}`, 0)
  }
}

describe("StatusLine", () => {
  it.effect.prop(
    "says of any root what the programs say over either layer",
    [given],
    ([{ world, id, ledgerBytes, huge }]) =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        make(root, world)
        if (world.ledger._tag === "File") fs.appendFileSync(`${root}/usage/savings.jsonl`, Buffer.concat(ledgerBytes))
        if (huge !== undefined && world.directory === "Present") {
          fs.writeFileSync(`${root}/usage/session-links/huge`, huge)
        }
        const claudeIds = StatusLine.linkedClaudeIds({ root }, id)
        const asked = claudeIds.length > 0 ? claudeIds : [id]
        const total = StatusLine.total({ root }, asked)
        for (const name of Answers.layerNames) {
          const expected = yield* Effect.all({
            claudeIds: SessionLinks.linkedClaudeIds(id),
            total: SavingsLedger.total(asked)
          }).pipe(Answers.on(name, root))
          assert.deepStrictEqual({ claudeIds, total }, expected)
          assert.strictEqual(SavingsTotal.segment(total), SavingsTotal.segment(expected.total))
        }
      }).pipe(Effect.scoped),
    { arbitrary: { runs: 200, seed: "status-line" }, timeout: 60_000 }
  )

  const linked: Tree.Tree = {
    "usage/session-links/m1": { text: "c1\nc2\n" },
    "usage/savings.jsonl": { text: row("c1") }
  }

  it.effect("tells what could not be read, as the errors of the services do", () =>
    Effect.gen(function* () {
      const root = yield* tempRoot
      Tree.write(root, {
        "usage/session-links/m1": { fifo: true },
        "usage/session-links/m2": { symlink: "nowhere" },
        "usage/savings.jsonl": { dir: true }
      })
      const told: Array<string> = []
      const options: StatusLine.Options = { root, onFault: (message) => told.push(message) }
      StatusLine.linkedClaudeIds(options, "c1")
      StatusLine.total(options, ["c1"])
      assert.deepStrictEqual(told.sort(), [
        `${root}/usage/savings.jsonl is not a regular file; move it away`,
        `${root}/usage/session-links/m1 is not a regular file; move it out of the sidecar`,
        `${root}/usage/session-links/m2 could not be read; check that it exists and that you may read it`
      ])
    })
  )

  it.effect("has nothing to tell of a root that is not there", () =>
    Effect.gen(function* () {
      const told: Array<string> = []
      const options: StatusLine.Options = { root: `${yield* tempRoot}/none`, onFault: (message) => told.push(message) }
      assert.deepStrictEqual(StatusLine.linkedClaudeIds(options, "c1"), [])
      assert.deepStrictEqual(StatusLine.total(options, ["c1"]), SavingsTotal.zero)
      assert.deepStrictEqual(told, [])
    })
  )

  it.effect("gives up after three seconds", () =>
    Effect.gen(function* () {
      const root = yield* tempRoot
      Tree.write(root, linked)
      let now = 0n
      const clock = vi.spyOn(process.hrtime, "bigint").mockImplementation(() => (now += 3_000_000_000n))
      yield* Effect.addFinalizer(() => Effect.sync(() => clock.mockRestore()))
      assert.lengthOf(StatusLine.linkedClaudeIds({ root }, "c1"), 2)
      assert.strictEqual(StatusLine.total({ root }, ["c1"]).rows, 1)
      clock.mockImplementation(() => (now += 3_000_000_001n))
      const told: Array<string> = []
      const options: StatusLine.Options = { root, onFault: (message) => told.push(message) }
      assert.deepStrictEqual(StatusLine.linkedClaudeIds(options, "c1"), [])
      assert.deepStrictEqual(StatusLine.total(options, ["c1"]), SavingsTotal.zero)
      assert.lengthOf(told, 2)
      for (const message of told) assert.include(message, "was not read within 3 seconds")
    })
  )
})
