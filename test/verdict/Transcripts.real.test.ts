import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Layer } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import * as ClaudeSessions from "../../src/claims/ClaudeSessions.ts"
import * as PathResolver from "../../src/claims/PathResolver.ts"
import * as Known from "../../src/shared/core/Known.ts"
import * as Transcripts from "../../src/verdict/Transcripts.ts"
import { tempRoot } from "../TempRoot.ts"

/** Writes a transcript, of the time given in seconds. */
const write = (home: string, config: string, project: string, at: number, ...cwds: ReadonlyArray<string>): string => {
  const file = path.join(home, config, "projects", project, `s${at}.jsonl`)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, cwds.map((cwd) => `${JSON.stringify({ cwd })}\n`).join(""))
  fs.utimesSync(file, at, at)
  return file
}

const encoded = (at: string): string => at.replaceAll(/[^A-Za-z0-9]/g, "-")

const signsOf = Effect.fnUntraced(function* (home: string, tree: string) {
  const resolve = PathResolver.make(yield* FileSystem.FileSystem)
  const directories = yield* Transcripts.gather(Known.unknown("not needed")).pipe(
    Effect.provide(ClaudeSessions.layer({ configDirectories: [`${home}/.claude`], home }))
  )
  return yield* Transcripts.newest(directories, [tree], [yield* resolve(tree)], resolve)
})

describe("transcripts", () => {
  it.effect("the newest whose cwd lies in the worktree counts, of every .claude* of the home", () =>
    Effect.gen(function* () {
      const home = fs.realpathSync(yield* tempRoot)
      const [fix, login] = [`${home}/fix`, `${home}/fix-login`]
      for (const tree of [`${fix}/src`, login]) fs.mkdirSync(tree, { recursive: true })
      write(home, ".claude", encoded(fix), 100, fix)
      const newest = write(home, ".claude-work", encoded(`${fix}/src`), 200, login, `${fix}/src`)
      write(home, ".claude", encoded(login), 300, login)
      write(home, ".claude", encoded(fix), 400, fix, login)
      fs.writeFileSync(`${home}/.claude.json`, "{}")
      assert.deepStrictEqual(yield* signsOf(home, fix), [
        Known.known({ what: `the transcript ${newest}`, at: 200_000 })
      ])
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect("one in .config/claude counts", () =>
    Effect.gen(function* () {
      const home = fs.realpathSync(yield* tempRoot)
      const fix = `${home}/fix`
      fs.mkdirSync(fix)
      const newest = write(home, ".config/claude", encoded(fix), 100, fix)
      assert.deepStrictEqual(yield* signsOf(home, fix), [
        Known.known({ what: `the transcript ${newest}`, at: 100_000 })
      ])
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect("one that tells no cwd counts, and none is no sign", () =>
    Effect.gen(function* () {
      const home = fs.realpathSync(yield* tempRoot)
      const fix = `${home}/fix`
      fs.mkdirSync(fix)
      assert.deepStrictEqual(yield* signsOf(home, fix), [])
      const untold = write(home, ".claude", encoded(fix), 100)
      assert.deepStrictEqual(yield* signsOf(home, fix), [
        Known.known({ what: `the transcript ${untold}`, at: 100_000 })
      ])
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect("what cannot be listed is unknown, so that nothing is quiet", () =>
    Effect.gen(function* () {
      const home = fs.realpathSync(yield* tempRoot)
      const broken = Layer.succeed(
        ClaudeSessions.ClaudeSessions,
        ClaudeSessions.ClaudeSessions.of({
          snapshot: () => Effect.die("not asked"),
          projects: () => Effect.fail(new ClaudeSessions.ClaudeSessionsError({ path: home, cause: "injected" }))
        })
      )
      const directories = yield* Effect.provide(Transcripts.gather(Known.unknown("not needed")), broken)
      const resolve = PathResolver.make(yield* FileSystem.FileSystem)
      const [sign] = yield* Transcripts.newest(directories, [home], [yield* resolve(home)], resolve)
      assert.strictEqual(sign?._tag, "Unknown")
    }).pipe(Effect.provide(NodeServices.layer))
  )
})
