import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { tempRoot } from "../TempRoot.ts"
import * as Tree from "../Tree.ts"
import { project, run, shell } from "../examples/Program.ts"

const program = "dist/bin/session-liveness-status-line.js"

const row = (session_id: string, cost_saved_usd: number, tokens_saved = 1_000) =>
  `${JSON.stringify({ ts: "2026-03-01T20:00:00Z", session_id, technique: "compress", tokens_saved, cost_saved_usd, basis: "list" })}\n`

const evening: Tree.Tree = {
  "usage/session-links/tm-a": { text: "a-1\na-2\na-3\n" },
  "usage/session-links/tm-b": { text: "b-1\nshared\n" },
  "usage/session-links/tm-c": { text: "c-1\nshared\n" },
  "usage/savings.jsonl": {
    text: row("a-1", 0.36) + row("a-2", 0.21) + row("b-1", 5) + row("shared", 0.07) + row("alone", 0.02)
  }
}

const status = (session_id: unknown) => JSON.stringify({ hook_event_name: "Status", session_id, cwd: "/w/app" })

describe("the status line", () => {
  const shown: Readonly<Record<string, readonly [id: string, stdout: string]>> = {
    "folds over every linked id": ["a-3", "💸~$0.57\n"],
    "counts an unlinked id for itself": ["alone", "💸~$0.02\n"],
    "counts an ambiguous id for itself": ["shared", "💸~$0.07\n"],
    "shows nothing for an unknown id": ["nobody", ""]
  }
  for (const [name, [id, stdout]] of Object.entries(shown)) {
    it.effect(name, () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        Tree.write(root, evening)
        const outcome = yield* run(program, [], { root, stdin: status(id) })
        assert.deepStrictEqual(outcome, { stdout, stderr: "", exitCode: 0, signal: null })
      })
    )
  }

  const badInput: Readonly<Record<string, string>> = {
    "no input": "",
    "bad JSON": "{",
    "no object": "null",
    "no session_id": "{}",
    "a session_id that is no text": status(7)
  }
  for (const [name, stdin] of Object.entries(badInput)) {
    it.effect(`${name}: says so on stderr alone`, () =>
      Effect.gen(function* () {
        const outcome = yield* run(program, [], { root: yield* tempRoot, stdin })
        assert.strictEqual(outcome.exitCode, 0)
        assert.strictEqual(outcome.stdout, "")
        assert.include(outcome.stderr, "status-line JSON on stdin")
      })
    )
  }

  const badRoots: Readonly<Record<string, Tree.Tree>> = {
    "a file in place of the sidecar": { "usage/session-links": { text: "" } },
    "a FIFO and a directory among the link files": {
      "usage/session-links/tm-f": { fifo: true },
      "usage/session-links/tm-d": { dir: true }
    },
    "a FIFO in place of the ledger": { "usage/savings.jsonl": { fifo: true } },
    "a file in place of usage": { usage: { text: "" } }
  }
  for (const [name, tree] of Object.entries(badRoots)) {
    it.effect(`${name}: shows nothing, and says why with --verbose`, () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        Tree.write(root, tree)
        const quiet = yield* run(program, [], { root, stdin: status("a-1") })
        assert.deepStrictEqual(quiet, { stdout: "", stderr: "", exitCode: 0, signal: null })
        const verbose = yield* run(program, ["--verbose"], { root, stdin: status("a-1") })
        assert.strictEqual(verbose.stdout, "")
        assert.include(verbose.stderr, root)
      })
    )
  }

  it.effect("a reader that has gone, and streams that are closed", () =>
    Effect.gen(function* () {
      const root = yield* tempRoot
      Tree.write(root, evening)
      const line = `echo '${status("a-1")}' | "$NODE" "$PROGRAM" | head -0; echo "\${PIPESTATUS[1]}"`
      assert.deepStrictEqual(yield* shell(program, line, { root }), {
        stdout: "0\n",
        stderr: "",
        exitCode: 0,
        signal: null
      })
      const closed = yield* shell(program, `"$NODE" "$PROGRAM" <&- >&- 2>&-`, { root })
      assert.strictEqual(closed.exitCode, 0)
    })
  )

  it.effect("a working directory that is gone", () =>
    Effect.gen(function* () {
      const root = yield* tempRoot
      Tree.write(root, evening)
      const line = `mkdir "$TRUSTY_MPM_ROOT/gone" && cd "$TRUSTY_MPM_ROOT/gone" && rmdir "$TRUSTY_MPM_ROOT/gone" && echo '${status("a-1")}' | "$NODE" "$PROGRAM"`
      const outcome = yield* shell(program, line, { root })
      assert.deepStrictEqual(outcome, { stdout: "💸~$0.57\n", stderr: "", exitCode: 0, signal: null })
    })
  )

  it.live(
    "what a stdin that stays open has said, and gives up where it says nothing",
    () =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        Tree.write(root, evening)
        const line = (said: string) => `"$NODE" "$PROGRAM" < <(printf '%s' '${said}'; exec sleep 30 2>/dev/null)`
        assert.strictEqual((yield* shell(program, line(status("a-1")), { root })).stdout, "💸~$0.57\n")
        const silent = yield* shell(program, line(""), { root })
        assert.strictEqual(silent.stdout, "")
        assert.include(silent.stderr, "stdin said nothing whole")
      }),
    20_000
  )

  it.effect("--help goes to stdout, a wrong flag to stderr", () =>
    Effect.gen(function* () {
      const help = yield* run(program, ["--help"])
      assert.include(help.stdout, "Usage: session-liveness-status-line")
      assert.strictEqual(help.exitCode, 0)
      for (const args of [["--colour"], ["--root"], ["stray"], ["--verbose=yes"]]) {
        const wrong = yield* run(program, args)
        assert.strictEqual(wrong.stdout, "")
        assert.include(wrong.stderr, "--help")
        assert.strictEqual(wrong.exitCode, 2)
      }
    })
  )
})

describe("the bundle", () => {
  it("is one file that holds no Effect", () => {
    const text = fs.readFileSync(path.join(project, program), "utf8")
    assert.match(text, /^#!\/usr\/bin\/env node\n/)
    assert.notInclude(text, "~effect/")
    const required = [...text.matchAll(/\b(?:require|import)\(["'`]([^"'`]*)/g)].map(([, name]) => name)
    assert.isAbove(required.length, 0)
    for (const name of required) assert.match(name ?? "", /^node:/)
  })
})
