import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { rolldown } from "rolldown"
import * as Isolated from "../examples/Isolated.ts"
import { command, project } from "../examples/Program.ts"
import * as World from "../examples/World.ts"
import * as App from "./App.ts"

const timeout = 120_000

const filesBelow = (directory: string): ReadonlyArray<string> =>
  fs
    .readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))

const whole = `
import { Effect, Layer, References } from "effect"
import { Reclaim, ReclaimOutcome, SavingsLedger, SavingsTotal, SessionLinks, WorkspaceClaims } from "session-liveness"
import { layer, layerSidecar, type Services } from "session-liveness/node"
import { Law, Laws } from "session-liveness/testing"

const links: Effect.Effect<ReadonlyArray<string>> = Effect.gen(function* () {
  const first: boolean = yield* SessionLinks.recordLink("harbor", "one")
  const second: boolean = yield* SessionLinks.recordLink("harbor", "two")
  const total = yield* SavingsLedger.total(["one"])
  return [String(first && second), ...(yield* SessionLinks.linkedClaudeIds("two")), SavingsTotal.segment(total)]
}).pipe(Effect.provide(layerSidecar({ root: "root" })))

const everything: Layer.Layer<Services> = layer({ root: "root" })

const judged: Effect.Effect<ReadonlyArray<string>> = Effect.gen(function* () {
  const claims = yield* WorkspaceClaims.workspaceClaims()
  const plan = yield* Reclaim.survey({ repositories: [] })
  const outcomes: ReadonlyArray<ReclaimOutcome.ReclaimOutcome> = yield* Reclaim.apply(plan)
  return [String(claims.incomplete !== undefined), String(plan.candidates.length), String(outcomes.length)]
}).pipe(Effect.provide(everything))

const checked: Effect.Effect<ReadonlyArray<Law.Outcome>> = Effect.orDie(
  Laws.check(Laws.library, { laws: ["L1", "L4"], runs: 5 })
)

console.log(
  JSON.stringify([
    await Effect.runPromise(links),
    await Effect.runPromise(Effect.provideService(judged, References.MinimumLogLevel, "None")),
    (await Effect.runPromise(checked)).every(({ _tag }) => _tag === "Held")
  ])
)
`

const bare = `
import { Effect, Layer } from "effect"
import { LinkFile, Liveness, LinkWriter, Observation, SessionLinks, SidecarReader } from "session-liveness"

const files: Map<string, { readonly bytes: Uint8Array; readonly modifiedAt: number }> = new Map()
const memory = Layer.merge(
  SidecarReader.layerMemory({ root: "/root", files }),
  LinkWriter.layerMemory({ root: "/root", files })
)

const ids: Effect.Effect<ReadonlyArray<string>> = Effect.gen(function* () {
  yield* SessionLinks.recordLink("harbor", "one")
  return yield* SessionLinks.linkedClaudeIds("one")
}).pipe(Effect.provide(memory))

const observation: Observation.Observation = Observation.fromTmux({ exitCode: 1, stdout: "", stderr: "lost server" })
const liveness = Liveness.livenessOf(observation, { tmuxName: "tm-a", process: "None" }, 0)

console.log(
  JSON.stringify([
    await Effect.runPromise(ids),
    LinkFile.parse(new TextEncoder().encode("one\\n")).ids.length,
    liveness._tag
  ])
)
`

const entries = ["session-liveness", "session-liveness/node", "session-liveness/testing"]

/** Prints what importing the entries changed in the process around them. */
const importing = `
const seen = () => ({
  globals: Object.getOwnPropertyNames(globalThis).filter((name) => name !== "__seen"),
  listeners: process.eventNames().length,
  resources: process.getActiveResourcesInfo().filter((name) => name !== "PipeWrap"),
  environment: Object.keys(process.env),
  directory: process.cwd()
})
await import("effect")
const before = JSON.stringify(seen())
for (const entry of ${JSON.stringify(entries)}) await import(entry)
console.log(JSON.stringify(seen()) === before)
`

describe("the packed package", () => {
  it.live(
    "holds what is used and nothing else",
    () =>
      Effect.gen(function* () {
        const { files } = yield* App.tarball
        const foreign = files.filter(
          (file) =>
            !/^(README\.md|CHANGELOG\.md|LICENSE|package\.json)$/.test(file) &&
            !/^src\/([\w/]+\.ts|([\w/]+\/)?README\.md)$/.test(file) &&
            !/^dist\/[\w/]+\.(js|d\.ts)(\.map)?$/.test(file) &&
            !/^dist\/bin\/([\w-]+\.js|package\.json)$/.test(file)
        )
        assert.deepStrictEqual(foreign, [])
        for (const kind of ["README.md", "CHANGELOG.md", "LICENSE", "package.json", "dist/bin/session-liveness.js"])
          assert.include(files, kind)
        // Every source is shipped but those of the command, which is one file, and everything that is built has one.
        const sources = filesBelow(path.join(project, "src"))
          .map((file) => path.relative(project, file))
          .filter((file) => file.endsWith(".ts") && !file.startsWith("src/cli/"))
        assert.deepStrictEqual(
          files.filter((file) => file.startsWith("src/") && file.endsWith(".ts")).sort(),
          [...sources].sort()
        )
        const built = files.filter((file) => file.startsWith("dist/") && !file.startsWith("dist/bin/"))
        assert.deepStrictEqual(
          [...built].sort(),
          sources
            .map((file) => file.replace(/^src(.*)\.ts$/, "dist$1"))
            .flatMap((name) => [".js", ".js.map", ".d.ts", ".d.ts.map"].map((end) => name + end))
            .sort()
        )
      }),
    timeout
  )

  it.live(
    "installs with its peers alone, type-checks strictly and runs",
    () =>
      Effect.gen(function* () {
        const packages = ["effect", "@effect/platform-node", "@types/node", "undici", "redis"]
        const app = yield* App.app(yield* App.tarball, packages, { "main.ts": whole })
        assert.strictEqual(yield* app.typeCheck(["node"]), "")
        const { stdout, stderr, exitCode } = yield* app.run("main.ts")
        assert.deepStrictEqual([stderr, exitCode], ["", 0])
        assert.deepStrictEqual(JSON.parse(stdout), [["true", "one", "two", ""], ["true", "0", "0"], true])
      }),
    timeout
  )

  it.live(
    "does without the optional peer, and without Node's types, where only the root entry is used",
    () =>
      Effect.gen(function* () {
        const app = yield* App.app(yield* App.tarball, ["effect"], { "main.ts": bare })
        assert.isFalse(fs.existsSync(path.join(app.directory, "node_modules/@effect/platform-node")))
        assert.strictEqual(yield* app.typeCheck([]), "")
        const { stdout, stderr, exitCode } = yield* app.run("main.ts")
        assert.deepStrictEqual([stderr, exitCode], ["", 0])
        assert.deepStrictEqual(JSON.parse(stdout), [["one"], 1, "Live"])
      }),
    timeout
  )

  it.live.skipIf(!Isolated.allowed)(
    "is installed by npm without any peer, and `npx session-liveness sweep` works in a repository",
    () =>
      Effect.gen(function* () {
        const { path: packed } = yield* App.tarball
        const { root, main, worktree } = yield* World.repository
        worktree("one")
        const env = {
          HOME: root,
          PATH: `${path.dirname(process.execPath)}:${process.env["PATH"]}`,
          npm_config_cache: `${root}/cache`,
          npm_config_offline: "true",
          npm_config_audit: "false"
        }
        const line = `
          npm install --silent --legacy-peer-deps --no-save '${packed}' && ls node_modules node_modules/.bin &&
          npx session-liveness sweep --here --no-manager --quiet-for 0h; echo "exit $?"
          npx session-liveness --version
          echo '{"hook_event_name":"SessionStart","session_id":"c-1"}' | npx session-liveness-hook --managed m
          echo '{"session_id":"c-1"}' | npx session-liveness-status-line; cat "$HOME/.trusty-mpm/usage/session-links/m"`
        const { stdout, stderr } = yield* Isolated.run(command, [], { cwd: main, env, line })
        assert.match(stdout, /^node_modules:\nsession-liveness\n\n/, stdout + stderr)
        assert.match(stdout, /\/work\/one +branch-1 +/)
        // It stays, because nobody says that its work is over: nothing is unknown, and nothing would change.
        assert.match(stdout, /^exit 0$/m)
        assert.match(stdout, /^session-liveness v\d+\.\d+\.\d+\nc-1\n$/m)
      }),
    timeout
  )

  it.live(
    "does nothing when it is imported: a bundle that uses nothing of it is empty",
    () =>
      Effect.gen(function* () {
        const packages = ["effect", "@effect/platform-node"]
        const { directory, run } = yield* App.app(yield* App.tarball, packages, { "importing.mjs": importing })
        assert.deepStrictEqual(yield* run("importing.mjs"), { stdout: "true\n", stderr: "", exitCode: 0, signal: null })
        for (const entry of entries) {
          for (const statement of [`import ${JSON.stringify(entry)}`, `import {} from ${JSON.stringify(entry)}`]) {
            const input = path.join(directory, "empty.js")
            fs.writeFileSync(input, statement)
            const code = yield* Effect.promise(async () => {
              const bundle = await rolldown({ input, platform: "node", logLevel: "silent" })
              const { output } = await bundle.generate({ format: "esm", minify: true })
              await bundle.close()
              return output.map((chunk) => ("code" in chunk ? chunk.code : "")).join("")
            })
            assert.strictEqual(code.replace(/^export\s*{\s*};?\s*$/m, "").trim().length, 0, statement)
          }
        }
      }),
    timeout
  )

  it.live(
    "has source maps that lead to the sources that are shipped",
    () =>
      Effect.gen(function* () {
        const { installed } = yield* App.app(yield* App.tarball, [], {})
        const built = filesBelow(path.join(installed, "dist")).filter((file) => !file.includes("/dist/bin/"))
        const maps = built.filter((file) => file.endsWith(".map"))
        for (const file of maps) {
          const { sources, sourceRoot }: { readonly sources: ReadonlyArray<string>; readonly sourceRoot: string } =
            JSON.parse(fs.readFileSync(file, "utf8"))
          assert.lengthOf(sources, 1)
          const source = path.resolve(path.dirname(file), sourceRoot, sources[0] ?? "")
          const own = path.relative(path.join(installed, "dist"), file).replace(/\.(d\.ts|js)\.map$/, ".ts")
          assert.strictEqual(source, path.join(installed, "src", own))
          assert.isTrue(fs.existsSync(source), source)
        }
        for (const file of built.filter((name) => !name.endsWith(".map"))) {
          const [, named] = /^\/\/# sourceMappingURL=(.*)$/m.exec(fs.readFileSync(file, "utf8")) ?? []
          assert.strictEqual(named, `${path.basename(file)}.map`)
        }
        assert.isFalse(
          filesBelow(path.join(installed, "dist/bin")).some((file) =>
            fs.readFileSync(file, "utf8").includes("sourceMappingURL")
          )
        )
      }),
    timeout
  )
})
