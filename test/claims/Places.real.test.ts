import { NodeFileSystem } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { WorkspaceClaims } from "../../src/internal.ts"
import * as Child from "./Child.ts"
import { tempRoot } from "../TempRoot.ts"
import * as Tree from "../Tree.ts"
import * as Claims from "./Claims.ts"

const timeout = 60_000

type State = Claims.Said["state"]

interface Case {
  readonly name: string
  /** Below the root; the targets of links too, when they start with `$R`. */
  readonly tree: Tree.Tree
  /** Done after the tree is made. */
  readonly afterwards?: ((root: string) => void) | undefined
  /** `$R` is the root. */
  readonly claims: Readonly<Record<string, string>>
  readonly expect: Readonly<Record<string, State>>
}

const dir = { dir: true } as const
const link = (symlink: string) => ({ symlink })
const deep = Array.from({ length: 100 }, (_, n) => `d${n}`).join("/")

const cases: ReadonlyArray<Case> = [
  {
    name: "a link to the workspace",
    tree: { "work/a": dir, alias: link("$R/work"), a: link("work/a") },
    claims: { s: "$R/work/a" },
    expect: {
      "$R/alias/a": "Foreign",
      "$R/alias": "Foreign",
      "$R/a": "Foreign",
      "$R/a/inside": "ForeignNested",
      "$R/alias/a/in/side": "ForeignNested",
      "$R/alias/b": "Unclaimed"
    }
  },
  {
    name: "a workspace claimed through a link",
    tree: { "work/a": dir, alias: link("$R/work"), chain: link("alias") },
    claims: { s: "$R/chain/a" },
    expect: {
      "$R/work/a": "Foreign",
      "$R/work": "Foreign",
      "$R/alias/a": "Foreign",
      "$R/alias": "Foreign",
      "$R/chain": "Foreign",
      "$R/work/a/b": "ForeignNested",
      "$R/work/b": "Unclaimed"
    }
  },
  {
    name: "links on both sides, and neither spelled as it is",
    tree: { "work/a": dir, left: link("work"), right: link("work") },
    claims: { s: "$R/left/a" },
    expect: {
      "$R/right/a": "Foreign",
      "$R/right": "Foreign",
      "$R/right/a/b": "ForeignNested",
      "$R/right/b": "Unclaimed"
    }
  },
  {
    name: "two dots after a link lead out of where it points, and out of where it stands",
    tree: { "far/away/a": dir, "near/b": dir, "near/jump": link("$R/far/away") },
    claims: { s: "$R/near/jump/../other" },
    expect: { "$R/far/other": "Foreign", "$R/near/other": "Foreign", "$R/far/away": "Unclaimed", "$R/far": "Foreign" }
  },
  {
    name: "a workspace that lies where a dangling link points",
    tree: { to: link("$R/not/yet") },
    claims: { s: "$R/to" },
    expect: {
      "$R/not/yet": "Foreign",
      "$R/not": "Foreign",
      "$R/not/yet/in": "ForeignNested",
      "$R/to": "Foreign",
      "$R/not/other": "Unclaimed"
    }
  },
  {
    name: "a candidate reached over a dangling link",
    tree: { to: link("not/yet"), other: dir },
    claims: { s: "$R/not/yet/ws" },
    expect: { "$R/to": "Foreign", "$R/to/ws": "Foreign", "$R/to/ws/in": "ForeignNested", "$R/other": "Unclaimed" }
  },
  {
    name: "a leaf that was deleted, reached by a link",
    tree: { "work/deleted": dir, alias: link("work") },
    afterwards: (root) => fs.rmSync(path.join(root, "work/deleted"), { recursive: true }),
    claims: { s: "$R/work/deleted/ws" },
    expect: {
      "$R/alias": "Foreign",
      "$R/alias/deleted": "Foreign",
      "$R/alias/deleted/ws": "Foreign",
      "$R/alias/deleted/ws/in": "ForeignNested",
      "$R/alias/deletedly": "Unclaimed"
    }
  },
  {
    name: "a deleted leaf claimed through a link",
    tree: { work: dir, alias: link("work") },
    claims: { s: "$R/alias/deleted" },
    expect: { "$R/work/deleted": "Foreign", "$R/work": "Foreign", "$R/work/deleted/in": "ForeignNested" }
  },
  {
    name: "a link inside the candidate that leads out of it claims nothing of it",
    tree: { "out/ws": dir, "candidate/link": link("$R/out") },
    claims: { s: "$R/out/ws" },
    expect: { "$R/candidate": "Unclaimed", "$R/candidate/link": "Foreign" }
  },
  {
    name: "a workspace claimed through a link inside the candidate: its spelling would break",
    tree: { "out/ws": dir, "candidate/link": link("$R/out") },
    claims: { s: "$R/candidate/link/ws" },
    expect: { "$R/candidate": "Foreign", "$R/out/ws": "Foreign", "$R/out": "Foreign" }
  },
  {
    name: "the stronger of two spellings' overlaps wins",
    tree: { "outer/inner": dir, "outer/back": link("$R/outer/inner") },
    claims: { s: "$R/outer/inner" },
    expect: { "$R/outer/back": "Foreign", "$R/outer/inner/x": "ForeignNested", "$R/outer": "Foreign" }
  },
  {
    name: "as given inside, in truth on it",
    tree: { ws: dir, "ws/up": link("$R/ws"), "ws/top": link("..") },
    claims: { s: "$R/ws" },
    expect: {
      "$R/ws/up": "Foreign",
      "$R/ws/top": "Foreign",
      "$R/ws/up/up/up": "Foreign",
      "$R/ws/up/x": "ForeignNested"
    }
  },
  {
    name: "another's workspace inside the caller's, by a link",
    tree: { "ws/sub": dir, alias: link("ws") },
    claims: { caller: "$R/ws", other: "$R/alias/sub" },
    expect: {
      "$R/ws": "Foreign",
      "$R/alias": "Foreign",
      "$R/ws/sub": "Foreign",
      "$R/ws/sub/x": "ForeignNested",
      "$R/alias/x": "CallerNested"
    }
  },
  {
    name: "the caller's workspace by a link",
    tree: { "work/ws": dir, alias: link("work/ws") },
    claims: { caller: "$R/alias" },
    expect: {
      "$R/work/ws": "CallerWorkspace",
      "$R/work": "CallerWorkspace",
      "$R/work/ws/x": "CallerNested",
      "$R/alias/x": "CallerNested"
    }
  },
  {
    name: "gone sessions are seen through links as well",
    tree: { "work/ws": dir, alias: link("work/ws") },
    claims: { gone: "$R/alias" },
    expect: { "$R/work/ws": "DeadClaimsDiscarded", "$R/work": "DeadClaimsDiscarded", "$R/work/x": "Unclaimed" }
  },
  {
    name: "a loop on the way to a workspace",
    tree: { loop: link("loop"), ping: link("pong"), pong: link("ping"), free: dir },
    claims: { s: "$R/ping/ws" },
    expect: { "$R/free": "Undeterminable", $R: "Undeterminable", "$R/loop": "Undeterminable" }
  },
  {
    name: "a loop on the way to the workspace of a gone session refuses only itself",
    tree: { loop: link("loop"), free: dir },
    claims: { gone: "$R/loop/ws" },
    expect: { "$R/free": "Unclaimed", "$R/loop": "Undeterminable", "$R/loop/x": "Undeterminable" }
  },
  {
    name: "a chain of links too long for the kernel",
    tree: {
      end: dir,
      ...Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`l${n}`, link(n === 0 ? "end" : `l${n - 1}`)]))
    },
    claims: { s: "$R/end" },
    expect: { "$R/l30": "Foreign", "$R/l49": "Undeterminable" }
  },
  {
    name: "a file in the way of a workspace",
    tree: { file: { text: "" }, free: dir },
    claims: { s: "$R/file/ws" },
    expect: { "$R/free": "Undeterminable" }
  },
  {
    name: "a file in the way of a candidate, also behind a link and before two dots",
    tree: { file: { text: "" }, to: link("file"), free: dir },
    claims: { s: "$R/free" },
    expect: {
      "$R/file/x": "Undeterminable",
      "$R/to/x": "Undeterminable",
      "$R/file/../y": "Undeterminable",
      "$R/file": "Unclaimed"
    }
  },
  {
    name: "a workspace that is a file, a FIFO, or another name of the same file",
    tree: { file: { text: "" }, pipe: { fifo: true } },
    afterwards: (root) => fs.linkSync(path.join(root, "file"), path.join(root, "hard")),
    claims: { s: "$R/file", t: "$R/pipe" },
    expect: { "$R/hard": "Foreign", "$R/pipe": "Foreign" }
  },
  {
    name: "a name that ends where another goes on",
    tree: { ws: dir, "ws-2": dir, "w/s": dir },
    claims: { s: "$R/ws" },
    expect: {
      "$R/ws-2": "Unclaimed",
      "$R/w": "Unclaimed",
      "$R/w/s": "Unclaimed",
      "$R/ws/": "Foreign",
      "$R//./ws/.": "Foreign"
    }
  },
  {
    name: "names with line feeds, blanks, quotes, backslashes and globs",
    tree: { "a\nb": dir, " ": dir, "*": dir, "\\": dir, "'\"": dir, a: dir },
    claims: { s: "$R/a\nb" },
    expect: {
      "$R/a\nb": "Foreign",
      "$R/a\nb/c": "ForeignNested",
      "$R/a": "Unclaimed",
      "$R/ ": "Unclaimed",
      "$R/*": "Unclaimed",
      "$R/\\": "Unclaimed",
      "$R/'\"": "Unclaimed"
    }
  },
  {
    name: "a name composed on one side and decomposed on the other",
    tree: { "caf\u00e9": dir, plain: dir },
    claims: { s: "$R/caf\u00e9", t: "$R/gelo\u0308scht/ws" },
    expect: {
      "$R/cafe\u0301": "Foreign",
      "$R/cafe\u0301/x": "ForeignNested",
      "$R/gel\u00f6scht": "Foreign",
      "$R/gel\u00f6scht/ws/x": "ForeignNested",
      "$R/cafe": "Unclaimed"
    }
  },
  {
    name: "a decomposed name on the disk behind a link",
    tree: { "re\u0301sume\u0301": dir, to: link("re\u0301sume\u0301") },
    claims: { s: "$R/to/ws" },
    expect: { "$R/r\u00e9sum\u00e9/ws": "Foreign", "$R/r\u00e9sum\u00e9": "Foreign" }
  },
  {
    name: "a deep path",
    tree: { [`ws/${deep}`]: dir },
    claims: { s: `$R/ws/${deep}` },
    expect: { "$R/ws": "Foreign", [`$R/ws/${deep}/x`]: "ForeignNested", "$R/ws/d0/x": "Unclaimed" }
  },
  {
    name: "a path longer than the kernel takes, of which nothing is there",
    tree: { free: dir },
    claims: { s: `$R/${"x/".repeat(3000)}` },
    expect: { "$R/free": "Unclaimed", "$R/x/x": "Foreign", [`$R/${"x/".repeat(3001)}`]: "ForeignNested" }
  },
  {
    name: "a segment longer than a name may be",
    tree: { free: dir },
    claims: { s: "$R/free" },
    expect: { [`$R/${"x".repeat(300)}`]: "Undeterminable" }
  },
  {
    name: "what is no path at all",
    tree: { free: dir },
    claims: { gone: "relative" },
    expect: {
      "": "Undeterminable",
      free: "Undeterminable",
      "./free": "Undeterminable",
      "$R/a\0b": "Undeterminable",
      "$R/a\ufffdb": "Undeterminable",
      "$R/free": "Unclaimed"
    }
  }
]

const make = (root: string, given: Case): void => {
  Tree.write(
    root,
    Object.fromEntries(
      Object.entries(given.tree).map(([name, node]) => [
        name,
        "symlink" in node ? link(node.symlink.replace("$R", root)) : node
      ])
    )
  )
  given.afterwards?.(root)
}

describe("a candidate beside claims", () => {
  for (const given of cases) {
    it.effect(
      given.name,
      () =>
        Effect.gen(function* () {
          const root = yield* tempRoot
          make(root, given)
          const at = (path: string) => path.replace("$R", root)
          const claims = Object.fromEntries(Object.entries(given.claims).map(([id, path]) => [id, at(path)]))
          for (const [candidate, expected] of Object.entries(given.expect)) {
            const said = yield* Claims.ask({ claims, candidate: at(candidate) })
            assert.strictEqual(said.state, expected, `${JSON.stringify(candidate.slice(0, 80))}: ${said.words}`)
            assert.notInclude(said.words, "\n")
          }
        }),
      timeout
    )
  }
})

describe("a path longer than the kernel takes, and all of it is there", () => {
  it.effect(
    "cannot be placed",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        yield* Effect.addFinalizer(() => Effect.sync(() => execFileSync("rm", ["-rf", path.join(root, "long")])))
        const half = Array.from({ length: 12 }, () => "n".repeat(200)).join("/")
        fs.mkdirSync(path.join(root, "long", half), { recursive: true })
        fs.mkdirSync(path.join(root, "half", half), { recursive: true })
        fs.renameSync(path.join(root, "half"), path.join(root, "long", half, "half"))
        const claims = { s: path.join(root, "long", half, "half", half) }
        const asked = yield* Claims.ask({ claims, candidate: path.join(root, "free") })
        assert.strictEqual(asked.state, "Undeterminable")
      }),
    timeout
  )
})

describe("/proc", () => {
  const linux = it.live.skipIf(process.platform !== "linux")

  linux("a working directory is found through the process that stands in it", () =>
    Effect.gen(function* () {
      const here = process.cwd()
      const ask = (candidate: string) => Claims.ask({ claims: { s: here }, candidate })
      assert.strictEqual((yield* ask("/proc/self/cwd")).state, "Foreign")
      assert.strictEqual((yield* ask(`/proc/${process.pid}/cwd/inside`)).state, "ForeignNested")
      assert.strictEqual((yield* ask(`/proc/self/root${here}`)).state, "Foreign")
    })
  )

  linux(
    "a working directory that was deleted is the same place for both sides",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        const gone = path.join(root, "gone")
        fs.mkdirSync(gone)
        const questions: ReadonlyArray<Claims.Question> = [
          { claims: { s: "/proc/self/cwd" }, candidate: "/proc/self/cwd" },
          { claims: { s: gone }, candidate: root },
          { claims: { s: gone }, candidate: gone },
          { claims: { s: root }, candidate: "relative" },
          { claims: { s: gone }, candidate: path.join(root, "other") }
        ]
        const said = yield* judged({ gone, questions })
        assert.deepStrictEqual(
          said.map(({ state }) => state),
          ["Foreign", "Foreign", "Foreign", "Undeterminable", "Unclaimed"]
        )
      }),
    timeout
  )
})

const judged = (input: unknown): Effect.Effect<ReadonlyArray<Claims.Said>> =>
  Effect.map(
    Child.run(process.execPath, [fileOf("judge.ts"), JSON.stringify(input)]),
    (printed) => JSON.parse(printed) as ReadonlyArray<Claims.Said>
  )

const fileOf = (name: string): string => path.join(import.meta.dirname, name)

const nobody = 65534
const isRoot = process.geteuid?.() === 0

describe("without permission", () => {
  it.live(
    "what cannot be looked into cannot be placed, and refuses",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        Tree.write(root, { "open/ws": dir, "closed/ws": dir, "unlisted/ws": dir, to: link("closed/ws") })
        const user = isRoot ? nobody : undefined
        if (user !== undefined) {
          execFileSync("chown", ["-Rh", `${user}:${user}`, root])
          yield* Effect.addFinalizer(() => Effect.sync(() => fs.chmodSync(path.join(root, "closed"), 0o700)))
        }
        const at = (name: string) => path.join(root, name)
        fs.chmodSync(at("closed"), 0o000)
        fs.chmodSync(at("unlisted"), 0o311)
        yield* Effect.addFinalizer(() =>
          Effect.sync(() => {
            fs.chmodSync(at("closed"), 0o700)
            fs.chmodSync(at("unlisted"), 0o700)
          })
        )
        const claim = (name: string, candidate: string) => ({ claims: { s: at(name) }, candidate: at(candidate) })
        const gone = (name: string, candidate: string) => ({ claims: { gone: at(name) }, candidate: at(candidate) })
        const said = yield* judged({
          user,
          questions: [
            claim("closed/ws", "open"),
            claim("open", "closed/ws"),
            claim("open", "closed/nothing"),
            claim("to", "open"),
            claim("open", "to"),
            gone("closed/ws", "open"),
            gone("open", "to"),
            claim("closed", "closed"),
            claim("unlisted/ws", "unlisted/ws"),
            claim("unlisted/ws", "unlisted"),
            claim("unlisted/ws", "open")
          ]
        })
        assert.deepStrictEqual(
          said.map(({ state }) => state),
          [
            "Undeterminable",
            "Undeterminable",
            "Undeterminable",
            "Undeterminable",
            "Undeterminable",
            "Unclaimed",
            "Undeterminable",
            "Foreign",
            "Foreign",
            "Foreign",
            "Unclaimed"
          ]
        )
      }),
    timeout
  )
})

/** A file system mounted for the length of a test. */
const mounted = (...args: ReadonlyArray<string>): Effect.Effect<string, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const point = args.at(-1) ?? ""
      execFileSync("mount", args)
      return point
    }),
    (point) => Effect.sync(() => execFileSync("umount", ["-l", point]))
  )

const canMount = (() => {
  try {
    execFileSync("unshare", ["--mount", "true"], { stdio: "ignore" })
    return isRoot && process.platform === "linux"
  } catch {
    return false
  }
})()

describe.skipIf(!canMount)("one place mounted at two", () => {
  it.live(
    "is claimed under both names, as is what is in it and what was deleted from it",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        Tree.write(root, {
          "work/sub": dir,
          twin: dir,
          over: link("twin/sub"),
          "part/x": dir,
          "far/down": dir,
          free: dir
        })
        const at = (name: string) => path.join(root, name)
        yield* mounted("--bind", at("work"), at("twin"))
        yield* mounted("--bind", at("work"), at("far/down"))
        yield* mounted("--bind", at("work/sub"), at("part/x"))
        const ask = (claimed: string, candidate: string) =>
          Effect.map(Claims.ask({ claims: { s: at(claimed) }, candidate: at(candidate) }), ({ state }) => state)
        for (const [claimed, candidate, expected] of [
          ["work/sub", "twin/sub", "Foreign"],
          ["twin/sub", "work/sub", "Foreign"],
          ["twin/sub", "work", "Foreign"],
          ["work/sub", "twin", "Foreign"],
          ["work/sub", "over", "Foreign"],
          ["work/sub", "part/x", "Foreign"],
          ["work/sub/in", "part/x/in", "Foreign"],
          ["far/down/sub", "work", "Foreign"],
          ["work/sub", "far/down", "Foreign"],
          ["far/down", "work/sub", "ForeignNested"],
          ["work", "part/x/in", "Unclaimed"],
          ["work", "twin/in", "ForeignNested"],
          ["twin/deleted/ws", "work/deleted", "Foreign"],
          ["twin/deleted/ws", "work/deleted/ws/in", "ForeignNested"],
          ["part/x/deleted", "twin/sub/deleted", "Foreign"],
          ["twin/sub", "free", "Unclaimed"]
        ] as const) {
          assert.strictEqual(yield* ask(claimed, candidate), expected, `${claimed} and ${candidate}`)
        }
      }),
    timeout
  )

  it.live(
    "a fresh file system over a workspace has the name and not the identity",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        Tree.write(root, { "work/ws": dir, other: dir })
        const at = (name: string) => path.join(root, name)
        const s = yield* Claims.locate(at("work/ws"))
        yield* mounted("-t", "tmpfs", "tmpfs", at("work"))
        assert.strictEqual((yield* Claims.say({ s }, at("work/ws"))).state, "Foreign")
        assert.strictEqual((yield* Claims.say({ s }, at("work"))).state, "Foreign")
        assert.strictEqual((yield* Claims.say({ s }, at("other"))).state, "Unclaimed")
      }),
    timeout
  )
})

describe("between the look at a claim and the look at a candidate", () => {
  it.live("a directory made anew keeps its name, and one that was moved its identity", () =>
    Effect.gen(function* () {
      const root = yield* tempRoot
      Tree.write(root, { "made/ws": dir, "moved/ws": dir })
      const at = (name: string) => path.join(root, name)
      const made = yield* Claims.locate(at("made/ws"))
      const moved = yield* Claims.locate(at("moved/ws"))
      fs.renameSync(at("made"), at("aside"))
      fs.mkdirSync(at("made/ws"), { recursive: true })
      fs.renameSync(at("moved"), at("away"))
      const state = (claims: Parameters<typeof Claims.say>[0], candidate: string) =>
        Effect.map(Claims.say(claims, at(candidate)), (said) => said.state)
      assert.strictEqual(yield* state({ made }, "made/ws"), "Foreign")
      assert.strictEqual(yield* state({ made }, "made"), "Foreign")
      assert.strictEqual(yield* state({ made }, "aside/ws"), "Foreign")
      assert.strictEqual(yield* state({ moved }, "away/ws"), "Foreign")
      assert.strictEqual(yield* state({ moved }, "away"), "Foreign")
      assert.strictEqual(yield* state({ moved }, "away/ws/in"), "ForeignNested")
    })
  )
})

describe("WorkspaceClaims.locate", () => {
  it.effect("says of a path that cannot be placed which part is to blame, on one line", () =>
    Effect.gen(function* () {
      const root = yield* tempRoot
      Tree.write(root, { "fi\nle": { text: "" } })
      const place = yield* WorkspaceClaims.locate(`${root}/fi\nle/x`)
      assert.strictEqual(place._tag, "Unresolvable")
      assert.include(place._tag === "Unresolvable" ? place.why : "", "fi")
      for (const claims of [{}, { s: `${root}/fi\nle/x` }] satisfies ReadonlyArray<Claims.Question["claims"]>) {
        for (const candidate of [`${root}/fi\nle/x`, root]) {
          assert.notInclude((yield* Claims.ask({ claims, candidate })).words, "\n")
        }
      }
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )
})
