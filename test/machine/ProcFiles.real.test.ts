import { NodeFileSystem } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Layer } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { ProcessTable } from "../../src/internal.ts"
import * as ProcTable from "../../src/machine/ProcTable.ts"
import { layerProcFiles } from "../../src/node/ProcFileSystem.ts"
import * as FaultyFiles from "./FaultyFiles.ts"

const timeout = 60_000

const procFiles = layerProcFiles.pipe(Layer.provide(NodeFileSystem.layer))

/** The same question to the file system below and to the one above it. */
const both = <A>(ask: (fs: FileSystem.FileSystem) => Effect.Effect<A, unknown>) =>
  Effect.gen(function* () {
    const answer = Effect.result(Effect.flatMap(FileSystem.FileSystem, ask))
    return [yield* Effect.provide(answer, NodeFileSystem.layer), yield* Effect.provide(answer, procFiles)] as const
  })

const table = (files: Layer.Layer<FileSystem.FileSystem>) =>
  ProcTable.layer({ self: { pid: process.pid, user: process.geteuid?.() ?? -1 }, vantage: "here" }).pipe(
    Layer.provide(files)
  )

/** A process of ours that only waits, with these arguments after its name. */
const waiting = (...args: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.callback<ChildProcess>((resume) => {
      const child = spawn("sh", ["-c", "echo; read _", ...args], { stdio: ["pipe", "pipe", "ignore"] })
      child.stdout.once("data", () => resume(Effect.succeed(child)))
    }),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  ).pipe(Effect.map(({ pid = 0 }) => pid))

describe.skipIf(process.platform !== "linux")("layerProcFiles", () => {
  it.effect(
    "shows a process as the file system below it does",
    () =>
      Effect.gen(function* () {
        const child = yield* waiting("caf\u00e9", "", "a b\nc")
        const seen = []
        for (const files of [NodeFileSystem.layer, procFiles]) {
          const look = yield* ProcessTable.ProcessTable.use(({ snapshot }) => snapshot).pipe(
            Effect.provide(table(files))
          )
          seen.push(look._tag === "Listed" ? look.processes.find(({ pid }) => pid === child) : look)
        }
        assert.deepStrictEqual(seen[1], seen[0])
        assert.deepInclude(seen[1], { pid: child, args: ["sh", "-c", "echo; read _", "caf\u00e9", "", "a b\nc"] })
      }).pipe(Effect.scoped),
    timeout
  )

  for (const length of [4095, 4096, 4097, 8192, 100_000]) {
    it.effect(
      `reads a command line of ${length} bytes whole`,
      () =>
        Effect.gen(function* () {
          const shortest = ["sh", "-c", "echo; read _", ""].join("\0").length + 1
          const child = yield* waiting("x".repeat(length - shortest))
          const line = yield* FileSystem.FileSystem.use((files) => files.readFileString(`/proc/${child}/cmdline`)).pipe(
            Effect.provide(procFiles)
          )
          assert.strictEqual(line.length, length)
          assert.strictEqual(line.at(-2), "x")
        }).pipe(Effect.scoped),
      timeout
    )
  }

  it.effect(
    "reads on where an argument ends with a piece of the command line",
    () =>
      Effect.gen(function* () {
        const child = yield* waiting("x".repeat(4095 - "sh\0-c\0echo; read _\0".length), "last")
        const line = yield* FileSystem.FileSystem.use((files) => files.readFileString(`/proc/${child}/cmdline`)).pipe(
          Effect.provide(procFiles)
        )
        assert.deepStrictEqual([line.length, line[4095], line.slice(-6)], [4101, "\0", "\0last\0"])
      }).pipe(Effect.scoped),
    timeout
  )

  const failing: ReadonlyArray<
    readonly [what: string, ask: (fs: FileSystem.FileSystem) => Effect.Effect<unknown, unknown>]
  > = [
    ["a state that is not there", (fs) => fs.readFileString("/proc/999999999/stat")],
    ["a command line that is not there", (fs) => fs.readFileString("/proc/999999999/cmdline")],
    ["a link that is not there", (fs) => fs.readLink("/proc/999999999/exe")],
    ["a directory that is not there", (fs) => fs.readDirectory("/proc/999999999/task")],
    ["what is no link", (fs) => fs.readLink("/proc/self/stat")],
    ["what is no directory", (fs) => fs.readDirectory("/proc/self/stat")]
  ]
  for (const [what, ask] of failing) {
    it.effect(`fails as the file system below it does: ${what}`, () =>
      Effect.gen(function* () {
        const [below, above] = yield* both(ask)
        assert.strictEqual(above._tag, "Failure")
        assert.deepStrictEqual(reasonOf(above), reasonOf(below))
      })
    )
  }

  it.effect("leaves to the file system below it whatever may keep it waiting", () =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      for (const path of ["/w/proc/1/stat", "/proc/self/root/w/stat", "/proc/self/mountinfo", "/proc/1/environ"]) {
        assert.strictEqual(yield* files.readFileString(path), "below", path)
      }
      for (const path of ["/w/proc/1/exe", "/proc/1/cwd/exe", "/proc/1/root/w/cwd"]) {
        assert.strictEqual(yield* files.readLink(path), "below", path)
      }
      assert.deepStrictEqual(yield* files.readDirectory("/proc/1/cwd/fd"), ["below"])
    }).pipe(
      Effect.provide(
        layerProcFiles.pipe(
          Layer.provide(FaultyFiles.layer((asked) => ({ gives: asked === "readDirectory" ? ["below"] : "below" })))
        )
      )
    )
  )
})

const reasonOf = (result: unknown): unknown => {
  const { failure } = result as {
    readonly failure: { readonly reason: { readonly _tag: string; readonly cause: { readonly code: string } } }
  }
  return { tag: failure.reason._tag, code: failure.reason.cause.code }
}
