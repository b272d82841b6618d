import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import * as fs from "node:fs"
import { SessionLinks } from "../../src/internal.ts"
import { tempRoot } from "../TempRoot.ts"
import * as Answers from "./Answers.ts"
import * as Child from "./Child.ts"
import * as Written from "./Written.ts"

const perWriter = 500

const writers: ReadonlyArray<{
  readonly name: string
  readonly layer: Answers.LayerName
  /** Killed at whatever it is doing once it printed so many ids. */
  readonly killedAfter?: number | undefined
}> = [
  { name: "w0", layer: "node:fs" },
  { name: "w1", layer: "FileSystem" },
  { name: "w2", layer: "node:fs", killedAfter: 50 },
  { name: "w3", layer: "FileSystem", killedAfter: 90 },
  { name: "w4", layer: "node:fs", killedAfter: 210 },
  { name: "w5", layer: "FileSystem", killedAfter: 170 },
  { name: "w6", layer: "node:fs" },
  { name: "w7", layer: "FileSystem" }
]

interface Ended {
  readonly told: ReadonlyArray<string>
  readonly signal: NodeJS.Signals | null
  readonly code: number | null
}

const write = (root: string, name: string, layer: string, killedAfter = Infinity): Effect.Effect<Ended> =>
  Effect.callback<Ended>((resume) => {
    const child = spawn(process.execPath, [Child.script("writer.ts"), root, layer, name, String(perWriter)], {
      stdio: ["ignore", "pipe", "inherit"]
    })
    let printed = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      printed += text
      if (printed.split("\n").length > killedAfter) child.kill("SIGKILL")
    })
    child.on("close", (code, signal) =>
      resume(Effect.succeed({ told: printed.split("\n").filter((id) => id !== ""), signal, code }))
    )
    return Effect.sync(() => child.kill("SIGKILL"))
  })

describe("eight writer processes, four of them killed", () => {
  it.effect(
    "lose nothing that was told, and invent and splice nothing",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        const sidecar = `${root}/usage/session-links`
        fs.mkdirSync(sidecar, { recursive: true })
        const torn = yield* write(root, "nobody", "torn")
        assert.strictEqual(torn.signal, "SIGKILL")

        const ended = yield* Effect.forEach(
          writers,
          ({ name, layer, killedAfter }) => write(root, name, layer, killedAfter),
          { concurrency: "unbounded" }
        )

        const told = new Map<string, Set<string>>(Written.files.map((file) => [file, new Set()]))
        const attempted = new Map<string, Set<string>>(Written.files.map((file) => [file, new Set()]))
        for (const [index, { name, killedAfter }] of writers.entries()) {
          const writer = ended[index]
          assert.isDefined(writer)
          if (killedAfter === undefined) {
            assert.strictEqual(writer.code, 0)
            assert.lengthOf(writer.told, perWriter, `${name} was refused an id`)
          } else assert.strictEqual(writer.signal, "SIGKILL", `${name} was done before it was killed`)
          const links = Array.from({ length: perWriter }, (_, n) => Written.link(name, n))
          assert.deepStrictEqual(
            writer.told,
            links.slice(0, writer.told.length).map(({ id }) => id)
          )
          // The one after the last told may have been under way.
          for (const { file, id } of links.slice(0, writer.told.length + 1)) attempted.get(file)?.add(id)
          for (const { file, id } of links.slice(0, writer.told.length)) told.get(file)?.add(id)
        }

        for (const layer of Answers.layerNames) {
          yield* Effect.gen(function* () {
            yield* SessionLinks.heal
            const history = yield* SessionLinks.linkHistory
            assert(history._tag === "Read")
            const read = new Map<string, Set<string>>(Written.files.map((file) => [file, new Set()]))
            for (const [id, managedIds] of history.links) {
              assert.lengthOf(managedIds, 1)
              read.get(managedIds[0] ?? "")?.add(id)
            }
            for (const file of Written.files) {
              const ids = read.get(file) ?? new Set()
              assert.deepStrictEqual(
                [...(told.get(file) ?? [])].filter((id) => !ids.has(id)),
                [],
                "told, not read"
              )
              assert.deepStrictEqual(
                [...ids].filter((id) => !attempted.get(file)?.has(id)),
                [],
                "read, never recorded"
              )
            }
            assert.strictEqual(yield* SessionLinks.recordLink("alpha", Written.link("w0", 0).id), false)
            assert.lengthOf(yield* SessionLinks.linkedClaudeIds(Written.link("w0", 0).id), read.get("alpha")?.size ?? 0)
          }).pipe(Answers.on(layer, root))
        }
      }),
    { timeout: 2 * Child.patience }
  )
})
