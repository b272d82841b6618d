import { assert, describe, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { execFileSync, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { SavingsLedger, SessionLinks } from "../../src/internal.ts"
import { tempRoot } from "../TempRoot.ts"
import * as Answers from "./Answers.ts"
import * as Bytes from "./Bytes.ts"
import * as Child from "./Child.ts"

/** A line of 37 bytes, which no page and no block holds a whole number of. */
const id = (n: number) => `${String(n).padStart(8, "0")}-0000-4000-8000-000000000000`

const linkFile = (root: string) => `${root}/usage/session-links/session`

/**
 * Room on a disk that ran full in the middle of a line: what was told to be recorded, and how to make room again.
 */
interface Full {
  readonly root: string
  readonly told: ReadonlyArray<string>
  readonly free: Effect.Effect<void>
}

const mount = (place: string): boolean =>
  spawnSync("mount", ["-t", "tmpfs", "-o", "size=256k,mode=700", "tmpfs", place]).status === 0

const unmount = (place: string): void => void execFileSync("umount", [place])

/** A small disk of its own. */
const tmpfs: Effect.Effect<string, never, Scope.Scope> = Effect.tap(tempRoot, (place) =>
  Effect.acquireRelease(
    Effect.sync(() => assert.isTrue(mount(place))),
    () => Effect.sync(() => unmount(place))
  )
)

/** Whether this machine lets this user have one. */
const mayMount = (() => {
  const place = fs.mkdtempSync(path.join(os.tmpdir(), "session-liveness-"))
  const mounted = mount(place)
  if (mounted) unmount(place)
  fs.rmdirSync(place)
  return mounted
})()

const recordUntilRefused = Effect.fnUntraced(function* (root: string, layer: Answers.LayerName) {
  const told: Array<string> = []
  // More than there is room for.
  for (let n = 0; n < 2000; n++) {
    if (!(yield* SessionLinks.recordLink("session", id(n)).pipe(Answers.on(layer, root)))) break
    told.push(id(n))
  }
  return told
})

/** Takes every page there is; the one page of a small file that was there before has room left. */
const fill = (ballast: string): void => {
  try {
    for (;;) fs.appendFileSync(ballast, Buffer.alloc(4096))
  } catch {
    return
  }
}

const fullTmpfs = Effect.fnUntraced(function* (layer: Answers.LayerName, root: string) {
  fs.mkdirSync(`${root}/usage/session-links`, { recursive: true })
  fs.writeFileSync(linkFile(root), `${id(9999)}\n`)
  const ballast = `${root}/ballast`
  fill(ballast)
  const told = yield* recordUntilRefused(root, layer)
  return { root, told: [id(9999), ...told], free: Effect.sync(() => fs.rmSync(ballast)) } satisfies Full
})

/** A child whose files may not grow beyond a limit; the parent, which has none, is its freed disk. */
const fullQuota = Effect.fnUntraced(function* (layer: Answers.LayerName, root: string) {
  const writer = [process.execPath, Child.script("writer.ts"), root, layer, "quota", "900"]
  const printed = yield* Child.run("/bin/sh", ["-c", 'ulimit -f 8; exec "$@"', "sh", ...writer])
  const told = printed.split("\n").filter((line) => line !== "")
  return { root, told, free: Effect.void } satisfies Full
})

const listed = Effect.map(SessionLinks.linkHistory, (history) => {
  assert(history._tag === "Read", history._tag === "Unreadable" ? history.reason : history._tag)
  return [...history.links.keys()]
})

describe("a disk that runs full", () => {
  const timeout = Child.patience

  for (const layer of Answers.layerNames) {
    for (const mend of ["record", "heal"] as const) {
      it.effect.skipIf(!mayMount)(
        `leaves a torn tail at worst, which the next ${mend} closes, over ${layer}`,
        () =>
          Effect.gen(function* () {
            const { root, told, free } = yield* fullTmpfs(layer, yield* tmpfs)
            const full = Bytes.under(root)
            assert.notStrictEqual(full.get(linkFile(root))?.bytes.at(-1), 0x0a, "the last write was cut off")
            yield* Effect.gen(function* () {
              const history = yield* SessionLinks.linkHistory
              assert(history._tag === "Unreadable")
              assert.include(history.reason, '"session" ends in a write that did not finish')
              assert.deepStrictEqual<ReadonlyArray<string>>(yield* SessionLinks.linkedClaudeIds(id(9999)), told)

              assert.isFalse(yield* SessionLinks.recordLink("session", "while-full"))
              assert.deepStrictEqual(yield* SessionLinks.heal, [])
              Bytes.assertKept(new Map([[linkFile(root), full.get(linkFile(root))!]]), Bytes.under(root))

              yield* free
              if (mend === "record") assert.isTrue(yield* SessionLinks.recordLink("session", "after"))
              else assert.deepStrictEqual<ReadonlyArray<string>>(yield* SessionLinks.heal, ["session"])
              assert.deepStrictEqual(yield* listed, [...told, ...(mend === "record" ? ["after"] : [])])
              assert.isTrue(yield* SessionLinks.recordLink("session", "later"))
              Bytes.assertKept(new Map([[linkFile(root), full.get(linkFile(root))!]]), Bytes.under(root))
            }).pipe(Answers.on(layer, root))
          }),
        { timeout }
      )
    }

    it.effect.skipIf(!mayMount)(
      `the ledger takes its next row behind the torn one, over ${layer}`,
      () =>
        Effect.gen(function* () {
          const root = yield* tmpfs
          const { free } = yield* fullTmpfs(layer, root)
          yield* Effect.gen(function* () {
            const ledger = yield* SavingsLedger.SavingsLedger
            let rows = 0
            // The ballast goes and the ledger fills the rest of the disk itself.
            yield* free
            while (
              yield* Effect.match(ledger.append(Answers.row("a")), { onSuccess: () => true, onFailure: () => false })
            )
              rows++
            const torn = yield* ledger.total(["a"])
            assert.deepInclude(torn, { rows, skipped: 1, tokensSaved: rows * 1000 })
            fs.rmSync(linkFile(root))
            yield* ledger.append(Answers.row("a"))
            assert.deepInclude(yield* ledger.total(["a"]), { rows: rows + 1, skipped: 0 })
          }).pipe(Answers.on(layer, root))
        }),
      { timeout }
    )

    it.effect(
      `a quota does the same, over ${layer}`,
      () =>
        Effect.gen(function* () {
          const { root, told } = yield* fullQuota(layer, yield* tempRoot)
          const before = Bytes.under(root)
          assert.isAbove(told.length, 0)
          assert.isBelow(told.length, 900, "the quota was never reached")
          yield* Effect.gen(function* () {
            const history = yield* SessionLinks.linkHistory
            assert(history._tag === "Unreadable")
            for (const name of ["alpha", "beta", "gamma"]) assert.include(history.reason, `"${name}" ends in a write`)
            assert.lengthOf(yield* SessionLinks.heal, 3)
            assert.sameMembers<string>(yield* listed, [...told])
          }).pipe(Answers.on(layer, root))
          Bytes.assertKept(before, Bytes.under(root))
        }),
      { timeout }
    )
  }
})
