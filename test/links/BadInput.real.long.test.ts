import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Effect, Layer, type Scope } from "effect"
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as net from "node:net"
import * as path from "node:path"
import { SessionLinks } from "../../src/internal.ts"
import { tempRoot } from "../TempRoot.ts"
import * as Answers from "./Answers.ts"
import * as Bytes from "./Bytes.ts"
import * as Child from "./Child.ts"

const sidecar = "usage/session-links"
const target = `${sidecar}/${Answers.target}`
const ledger = "usage/savings.jsonl"
const store = "session-manager/sessions.json"

const rowOf = (id: string) => `${JSON.stringify(Answers.row(id))}\n`

/** A root in which everything is well, but for what a test puts into it. */
const healthy = Effect.map(tempRoot, (root) => {
  fs.mkdirSync(`${root}/${sidecar}`, { recursive: true })
  fs.mkdirSync(`${root}/session-manager`)
  fs.writeFileSync(`${root}/${sidecar}/healthy`, `${Answers.asked}\nsibling\n`)
  fs.writeFileSync(`${root}/${ledger}`, rowOf(Answers.asked))
  fs.writeFileSync(`${root}/${store}`, JSON.stringify({ sessions: {} }))
  return root
})

const well: Answers.Answers = {
  linked: [Answers.asked, "sibling"],
  siblings: "Linked",
  history: "Read",
  total: { tokensSaved: 1000, costSavedUsd: 0.25, rows: 1, skipped: 0 },
  ledger: "Read",
  store: "Read",
  plan: "0 moves",
  recorded: true,
  record: "AlreadyListed",
  appended: "Appended",
  healed: []
}

const zero = { tokensSaved: 0, costSavedUsd: 0, rows: 0, skipped: 0 }

/** What differs from `well`; a `RegExp` is matched. */
type Expected = { readonly [K in keyof Answers.Answers]?: Answers.Answers[K] | RegExp }

const assertAnswers = (answers: Answers.Answers, expected: Expected): void => {
  const given: Record<string, unknown> = { ...well, ...expected }
  for (const [name, answer] of Object.entries(answers)) {
    const wanted = given[name]
    if (wanted instanceof RegExp) assert.match(String(answer), wanted, name)
    else assert.deepStrictEqual(answer, wanted, name)
  }
}

const contains = (...words: ReadonlyArray<string>) =>
  new RegExp(words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("[^]*"))

/** Puts something in the place of what stands there. */
type Make = (place: string) => Effect.Effect<void, never, Scope.Scope>

const putting =
  (make: (place: string) => void): Make =>
  (place) =>
    Effect.sync(() => {
      fs.rmSync(place, { recursive: true, force: true })
      make(place)
    })

const nothing = putting(() => {})
const fifo = putting((place) => execFileSync("mkfifo", [place]))
const directory = putting((place) => fs.mkdirSync(place))
const zeroes = putting((place) => fs.symlinkSync("/dev/zero", place))
const dangling = putting((place) => fs.symlinkSync(`${place}-nowhere`, place))
const loop = putting((place) => fs.symlinkSync(path.basename(place), place))
const file = (content: string | Uint8Array, mode = 0o600) =>
  putting((place) => fs.writeFileSync(place, content, { mode }))
const locked = file("other\n", 0)
const lockedDirectory = putting((place) => fs.mkdirSync(place, { mode: 0 }))

/** More than anybody can read in one piece; it takes no room on the disk. */
const huge = putting((place) => {
  fs.writeFileSync(place, "")
  fs.truncateSync(place, 2 ** 40)
})

/** `stat` promises nothing of it, and it holds several megabytes. */
const unsized = putting((place) => fs.symlinkSync("/proc/kallsyms", place))

const socket: Make = (place) =>
  Effect.andThen(
    nothing(place),
    Effect.acquireRelease(
      Effect.callback<net.Server>((resume) => {
        const server = net.createServer().listen(place, () => resume(Effect.succeed(server)))
      }),
      (server) => Effect.sync(() => server.close())
    )
  )

/**
 * Something bad at `place` in a healthy root, and what every program then says.
 */
interface Case {
  readonly name: string
  readonly place: string
  readonly make: Make
  readonly expect: (root: string) => Expected
}

const ofLinkFile = (name: string, make: Make, reason: "NotRegular" | "TooLarge" | "Unreadable"): Case => ({
  name: `link file: ${name}`,
  place: target,
  make,
  expect: (root) => ({
    siblings: contains(`${reason}: ${root}/${target}`),
    history: contains('Unreadable: "target" ', `${root}/${target}`),
    recorded: false,
    record: contains(`${root}/${target}`)
  })
})

const ofSidecar = (name: string, make: Make): Case => ({
  name: `sidecar: ${name}`,
  place: sidecar,
  make,
  expect: (root) => ({
    linked: [],
    siblings: /^Unreadable: /,
    history: contains("Unreadable: ", `${root}/${sidecar}`),
    plan: contains(`${root}/${sidecar}`),
    recorded: false,
    record: contains(`${root}/${sidecar}`)
  })
})

const ofUsage = (name: string, make: Make): Case => ({
  name: `the directory above: ${name}`,
  place: "usage",
  make,
  expect: (root) => ({
    linked: [],
    siblings: /^Unreadable: /,
    history: contains("Unreadable: ", `${root}/${sidecar}`),
    total: zero,
    ledger: /^Unreadable: /,
    plan: contains(`${root}/usage/`),
    recorded: false,
    record: contains(`${root}/${sidecar}`),
    appended: /^Unwritten: /
  })
})

const ofLedger = (name: string, make: Make, reason: "NotRegular" | "Unreadable"): Case => ({
  name: `ledger: ${name}`,
  place: ledger,
  make,
  expect: (root) => ({
    total: zero,
    ledger: contains(`${reason}: ${root}/${ledger}`),
    plan: contains(`${root}/${ledger}`),
    appended: contains(`${reason === "NotRegular" ? reason : "Unwritten"}: ${root}/${ledger}`)
  })
})

const ofStore = (name: string, make: Make, reason: "Missing" | "Unreadable" | "Malformed"): Case => ({
  name: `records: ${name}`,
  place: store,
  make,
  expect: (root) => ({ store: contains(`${reason}: ${root}/${store}`), plan: contains(`${root}/${store}`) })
})

const cases: ReadonlyArray<Case> = [
  ofLinkFile("a FIFO", fifo, "NotRegular"),
  ofLinkFile("a directory", directory, "NotRegular"),
  ofLinkFile("a socket", socket, "NotRegular"),
  ofLinkFile("a link to /dev/zero", zeroes, "NotRegular"),
  ofLinkFile("a dangling link", dangling, "Unreadable"),
  ofLinkFile("a link to itself", loop, "Unreadable"),
  ofLinkFile("a file without permissions", locked, "Unreadable"),
  ofLinkFile("a file that may only be written", file("other\n", 0o200), "Unreadable"),
  ofLinkFile("a terabyte", huge, "TooLarge"),
  ...(fs.existsSync("/proc/kallsyms")
    ? [ofLinkFile("a link to a file that `stat` promises nothing of", unsized, "TooLarge")]
    : []),
  ofSidecar("a FIFO", fifo),
  ofSidecar("a file", file("other\n")),
  ofSidecar("a socket", socket),
  ofSidecar("a link to /dev/zero", zeroes),
  ofSidecar("a dangling link", dangling),
  ofSidecar("a link to itself", loop),
  ofSidecar("a directory without permissions", lockedDirectory),
  ofUsage("a file", file("other\n")),
  ofUsage("a link to itself", loop),
  ofUsage("a directory without permissions", lockedDirectory),
  ofLedger("a FIFO", fifo, "NotRegular"),
  ofLedger("a directory", directory, "NotRegular"),
  ofLedger("a socket", socket, "NotRegular"),
  ofLedger("a link to /dev/zero", zeroes, "NotRegular"),
  ofLedger("a dangling link", dangling, "Unreadable"),
  ofLedger("a link to itself", loop, "Unreadable"),
  ofLedger("a file without permissions", locked, "Unreadable"),
  ofStore("a FIFO", fifo, "Unreadable"),
  ofStore("a directory", directory, "Unreadable"),
  ofStore("a socket", socket, "Unreadable"),
  ofStore("a link to /dev/zero", zeroes, "Unreadable"),
  ofStore("a dangling link", dangling, "Missing"),
  ofStore("a link to itself", loop, "Unreadable"),
  ofStore("a file without permissions", locked, "Unreadable"),
  ofStore("a terabyte", huge, "Unreadable"),
  ofStore("nothing", nothing, "Missing"),
  ofStore("an empty file", file(""), "Malformed"),
  ofStore("NULs", file(new Uint8Array(5000)), "Malformed"),
  {
    name: "sidecar: may only be read",
    place: sidecar,
    make: (place) => Effect.sync(() => fs.chmodSync(place, 0o500)),
    expect: (root) => ({ recorded: false, record: contains(`Failed: ${root}/${target}`) })
  }
]

interface Room {
  readonly root: string
  readonly before: Bytes.Bytes
  readonly answers: Answers.Answers
}

/**
 * A root of its own for every case, about all of which one child was asked: had a single program hung or left anything
 * behind that keeps a process alive, the child would not have ended. It runs as a user whom permissions bind.
 */
class Rooms extends Context.Service<Rooms, ReadonlyMap<Case, Room>>()("test/real/Rooms") {
  static readonly layer = (name: Answers.LayerName): Layer.Layer<Rooms> =>
    Layer.effect(
      Rooms,
      Effect.gen(function* () {
        const roots = yield* Effect.forEach(cases, ({ place, make }) =>
          Effect.tap(healthy, (root) => make(`${root}/${place}`))
        )
        const before = roots.map(Bytes.under)
        const user = process.getuid?.() === 0 ? 65534 : undefined
        if (user !== undefined) execFileSync("chown", ["-R", "-h", `${user}:${user}`, ...roots])
        const answers = yield* Child.answers(name, roots, { user })
        assert.lengthOf(answers, cases.length)
        return new Map(
          cases.map((given, index) => [
            given,
            { root: roots[index]!, before: before[index]!, answers: answers[index]! }
          ])
        )
      })
    )
}

for (const name of Answers.layerNames) {
  layer(Rooms.layer(name), { timeout: 2 * Child.patience })(`what is there and cannot be used, over ${name}`, (it) => {
    for (const given of cases) {
      it.effect(given.name, () =>
        Effect.gen(function* () {
          const room = (yield* Rooms).get(given)
          assert.isDefined(room)
          const expected = given.expect(room.root)
          assertAnswers(room.answers, expected)
          const after = Bytes.under(room.root)
          Bytes.assertKept(room.before, after)
          const place = `${room.root}/${given.place}`
          assert.isFalse(fs.existsSync(`${place}-nowhere`), "what a link points to was made")
          assert.strictEqual(after.get(place)?.size, room.before.get(place)?.size, "something was written to it")
          if (expected.recorded === false && expected.appended === undefined) {
            assert.deepStrictEqual([...after.keys()], [...room.before.keys()], "something was made beside it")
          }
        })
      )
    }
  })

  describe(`what can be read and is rubbish, over ${name}`, () => {
    const timeout = Child.patience

    const check = Effect.fnUntraced(function* (place: string, content: string | Uint8Array, expected: Expected) {
      const root = yield* healthy
      fs.writeFileSync(`${root}/${place}`, content)
      const before = Bytes.under(root)
      assertAnswers(yield* Answers.ask.pipe(Answers.on(name, root)), expected)
      Bytes.assertKept(before, Bytes.under(root))
      return root
    })

    const line = Buffer.alloc(1e8, "x")
    const longest = Buffer.alloc(1e6, "x")
    const end = Buffer.from("\n")

    const linkFiles: ReadonlyArray<readonly [name: string, content: string | Uint8Array, fault: string]> = [
      ["NULs without an end", new Uint8Array(5000), "did not finish"],
      ["lines of NULs", "\0\0\0\n\0\n", "2 damaged line(s)"],
      ["invalid UTF-8", Buffer.from([0xff, 0xfe, 0x0a, 0xc3, 0x28, 0x0a, 0x61, 0x0a]), "2 damaged line(s)"],
      ["half a character at the end", Buffer.from([0x61, 0x0a, 0xe2, 0x82]), "did not finish"],
      ["a megabyte in one line", Buffer.concat([longest, end]), "1 damaged line(s)"],
      ["a megabyte without an end", longest, "did not finish"]
    ]
    for (const [what, content, fault] of linkFiles) {
      it.effect(
        `link file: ${what}`,
        () =>
          Effect.gen(function* () {
            const root = yield* check(target, content, { history: contains('Unreadable: "target" ', fault) })
            const ids = yield* SessionLinks.linkedClaudeIds(Answers.added).pipe(Answers.on(name, root))
            assert.strictEqual<string | undefined>(ids.at(-1), Answers.added)
          }),
        { timeout }
      )
    }

    const row = Buffer.from(rowOf(Answers.asked))
    const ledgers: ReadonlyArray<readonly [name: string, content: Uint8Array, skipped: number]> = [
      ["NULs", Buffer.concat([new Uint8Array(5000), end, row, new Uint8Array(2)]), 2],
      ["invalid UTF-8", Buffer.concat([Buffer.from([0xff, 0xfe, 0x0a]), row]), 1],
      ["a hundred megabytes in one line", Buffer.concat([line, end, row]), 1],
      ["a hundred megabytes without an end", Buffer.concat([row, line]), 1]
    ]
    for (const [what, content, skipped] of ledgers) {
      it.effect(`ledger: ${what}`, () => check(ledger, content, { total: { ...well.total, skipped } }), { timeout })
    }

    it.effect("records: a hundred megabytes in one line", () =>
      check(store, line, { store: /^Malformed: /, plan: contains(store) })
    )

    // Other systems refuse such names themselves.
    it.effect.skipIf(process.platform !== "linux")(
      "a name that is not UTF-8 is no link file, and corruptions the history",
      () =>
        Effect.gen(function* () {
          const root = yield* healthy
          const bad = Buffer.concat([Buffer.from(`${root}/${sidecar}/`), Buffer.from([0x6e, 0xff, 0xfe])])
          fs.writeFileSync(bad, `${Answers.asked}\nforeign\n`)
          const before = Bytes.under(root)
          assertAnswers(yield* Answers.ask.pipe(Answers.on(name, root)), {
            history: /^Unreadable: "n\ufffd+" has a name/
          })
          Bytes.assertKept(before, Bytes.under(root))
        })
    )

    it.effect("a root that is missing is empty, and the first record makes it", () =>
      Effect.gen(function* () {
        const root = `${yield* tempRoot}/not/there`
        assertAnswers(yield* Answers.ask.pipe(Answers.on(name, root)), {
          linked: [],
          siblings: "NotLinked",
          total: zero,
          store: /^Missing: /,
          plan: contains(`${root}/${store}`)
        })
        assert.strictEqual(fs.readFileSync(`${root}/${target}`, "utf8"), `${Answers.added}\n`)
      })
    )

    it.effect(
      "ten thousand link files are all read",
      () =>
        Effect.gen(function* () {
          const root = yield* healthy
          for (let n = 0; n < 10_000; n++) fs.writeFileSync(`${root}/${sidecar}/many-${n}`, `id-${n}\nid-${n}-b\n`)
          const before = Bytes.under(root)
          const { linked, history } = yield* Effect.all({
            linked: SessionLinks.linkedClaudeIds("id-7777"),
            history: SessionLinks.linkHistory
          }).pipe(Answers.on(name, root))
          assert.deepStrictEqual<ReadonlyArray<string>>(linked, ["id-7777", "id-7777-b"])
          assert(history._tag === "Read")
          assert.strictEqual(history.links.size, 20_002)
          assert.deepStrictEqual(Bytes.under(root), before)
        }),
      { timeout }
    )
  })
}
