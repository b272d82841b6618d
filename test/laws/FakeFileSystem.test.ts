import { NodeFileSystem } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, FileSystem, Option, type PlatformError } from "effect"
import { TestClock } from "effect/testing"
import { FakeFileSystem, Gen } from "../../src/testing/index.ts"
import { tempRoot } from "../TempRoot.ts"

const names = ["a", "b", "a/c", "a/c/d", "b/e", "a/../b", "l", "l/c", "m", "./b", "x".repeat(256), "n\u0000"]

const path = Gen.element(names)

const flag = Gen.element<FileSystem.OpenFlag>(["a", "r", "r+", "w", "wx", "w+", "wx+", "ax", "a+", "ax+"])

const bytes = (text: string) => new TextEncoder().encode(text)

const info = ({ type, size, mode }: FileSystem.File.Info) =>
  type === "SymbolicLink" ? { type } : { type, mode, size: type === "Directory" ? 0n : BigInt(size) }

const step = Gen.struct({
  method: Gen.element([
    "writeFile",
    "makeDirectory",
    "makeDirectories",
    "symlink",
    "readFile",
    "readDirectory",
    "readDirectoryEntries",
    "stat",
    "lstat",
    "exists",
    "realPath",
    "readLink",
    "rename",
    "remove",
    "removeAll",
    "open",
    "link",
    "truncate",
    "utimes",
    "chmod"
  ]),
  path,
  other: Gen.element(names.slice(0, 10)),
  flag
})

/** One call, with what it gives reduced to what does not differ from machine to machine. */
const run = (
  fs: FileSystem.FileSystem,
  root: string,
  {
    method,
    path,
    other,
    flag
  }: { readonly method: string; readonly path: string; readonly other: string; readonly flag: FileSystem.OpenFlag }
): Effect.Effect<unknown, PlatformError.PlatformError> => {
  const here = `${root}/${path}`
  const there = `${root}/${other}`
  switch (method) {
    case "writeFile":
      return fs.writeFile(here, bytes(other), { flag, mode: 0o600 })
    case "makeDirectory":
      return fs.makeDirectory(here)
    case "makeDirectories":
      return Effect.asVoid(fs.makeDirectory(here, { recursive: true, mode: 0o700 }))
    case "symlink":
      return fs.symlink(other, here)
    case "readFile":
      return Effect.map(fs.readFile(here), (read) => [...read])
    case "readDirectory":
      return Effect.map(fs.readDirectory(here), (read) => read.sort())
    case "readDirectoryEntries":
      return Effect.map(fs.readDirectoryEntries(here), (read) => read.map(({ name, type }) => `${name}:${type}`).sort())
    case "stat":
      return Effect.map(fs.stat(here), info)
    case "lstat":
      return Effect.map(fs.lstat(here), info)
    case "exists":
      return fs.exists(here)
    case "realPath":
      return Effect.map(fs.realPath(here), (real) => real.slice(root.length))
    case "readLink":
      return fs.readLink(here)
    case "rename":
      return fs.rename(here, there)
    case "remove":
      return fs.remove(here)
    case "removeAll":
      return fs.remove(here, { recursive: true, force: true })
    case "link":
      return fs.link(here, there)
    case "truncate":
      return fs.truncate(here, 2)
    case "utimes":
      return Effect.andThen(
        fs.utimes(here, 1, 1234),
        Effect.map(fs.stat(here), ({ mtime }) => Option.getOrUndefined(mtime)?.getTime())
      )
    case "chmod":
      return fs.chmod(here, 0o740)
    default:
      return Effect.scoped(
        Effect.gen(function* () {
          const file = yield* fs.open(here, { flag, mode: 0o640 })
          const written = yield* Effect.exit(file.writeAll(bytes("12345")))
          const buffer = new Uint8Array(3)
          const read = yield* Effect.exit(file.read(buffer, { position: 1n }))
          const rest = yield* Effect.exit(
            Effect.map(
              file.readAlloc(9),
              Option.map((read) => [...read])
            )
          )
          return [...[written, read, rest].map(outcome), [...buffer], info(yield* file.stat)]
        })
      )
  }
}

const outcome = (exit: Exit.Exit<unknown, PlatformError.PlatformError>): unknown =>
  Exit.match(exit, {
    onSuccess: (value) => ({ value }),
    onFailure: (cause) =>
      cause.reasons.map((reason) => (reason._tag === "Fail" ? reason.error.reason._tag : reason._tag))
  })

const print = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) => (typeof inner === "bigint" ? String(inner) : inner))

describe("FakeFileSystem", () => {
  it.live.prop(
    "does what the real one does",
    [Gen.array(step, { maxLength: 14 })],
    ([steps]) =>
      Effect.gen(function* () {
        const root = yield* tempRoot
        const real = yield* FileSystem.FileSystem
        const fake = FakeFileSystem.make({ "/root": { dir: true, mode: 0o700 } }, { user: process.getuid?.() ?? 0 })
        for (const step of steps) {
          const expected = outcome(yield* Effect.exit(run(real, root, step)))
          const seen = outcome(yield* Effect.exit(run(fake.fileSystem, "/root", step)))
          assert.deepStrictEqual(seen, expected, `${print(seen)} is not ${print(expected)}`)
        }
      }).pipe(Effect.provide(NodeFileSystem.layer)),
    { arbitrary: { runs: 400, size: 30, seed: "fake" }, timeout: 60_000 }
  )

  it.effect("refuses what permissions forbid, like the kernel", () =>
    Effect.gen(function* () {
      const { fileSystem: fs } = FakeFileSystem.make({
        "/d": { dir: true, mode: 0o600 },
        "/d/f": { text: "x" },
        "/secret": { text: "x", mode: 0 },
        "/others": { text: "x", owner: 7, mode: 0o640 },
        "/closed": { dir: true, mode: 0o500 }
      })
      const tag = (effect: Effect.Effect<unknown, PlatformError.PlatformError>) =>
        Effect.match(effect, { onSuccess: () => "ok", onFailure: ({ reason }) => reason._tag })
      assert.deepStrictEqual(
        yield* Effect.all([
          tag(fs.readDirectory("/d")),
          tag(fs.stat("/d/f")),
          tag(fs.stat("/secret")),
          tag(fs.readFile("/secret")),
          tag(fs.readFile("/others")),
          tag(fs.writeFile("/closed/new", new Uint8Array())),
          tag(fs.readDirectory("/closed")),
          tag(fs.chmod("/others", 0o777)),
          tag(fs.access("/secret", { readable: true }))
        ]),
        [
          "ok",
          "PermissionDenied",
          "ok",
          "PermissionDenied",
          "PermissionDenied",
          "PermissionDenied",
          "ok",
          "PermissionDenied",
          "PermissionDenied"
        ]
      )
    })
  )

  it.effect("waits for the other end of a FIFO, at an open even when interrupted", () =>
    Effect.gen(function* () {
      const { fileSystem: fs } = FakeFileSystem.make({ "/fifo": { fifo: true } })
      const reading = yield* Effect.forkDetach(Effect.timeoutOption(fs.readFile("/fifo"), "1 second"))
      const opening = yield* Effect.forkDetach(
        Effect.timeoutOption(Effect.scoped(fs.open("/fifo", { flag: "a" })), "1 second")
      )
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(yield* Fiber.join(reading), Option.none())
      assert.isUndefined(opening.pollUnsafe())
      assert.strictEqual((yield* fs.stat("/fifo")).type, "FIFO")
    })
  )

  it.effect("a full disk takes a part of a write and fails the rest, and both are logged", () =>
    Effect.gen(function* () {
      const fake = FakeFileSystem.make({ "/f": { text: "old\n" } }, { space: 3 })
      const exit = yield* Effect.exit(fake.fileSystem.writeFile("/f", bytes("12345"), { flag: "a" }))
      assert.deepStrictEqual(outcome(exit), ["Unknown"])
      assert.deepStrictEqual(
        fake.writes().map(({ write }) => [write.offset, new TextDecoder().decode(write.bytes), write.requested]),
        [
          [4, "123", 5],
          [7, "", 2]
        ]
      )
    })
  )

  it.effect("one file has one identity under all of its names, and devices part them", () =>
    Effect.gen(function* () {
      const { fileSystem: fs } = FakeFileSystem.make({
        "/a": { text: "" },
        "/l": { symlink: "a" },
        "/mnt": { dir: true, device: 9n }
      })
      yield* fs.link("/a", "/b")
      const [a, b, l] = yield* Effect.forEach(["/a", "/b", "/l"], (path) => fs.stat(path))
      assert.deepStrictEqual(a?.ino, b?.ino)
      assert.deepStrictEqual(a?.ino, l?.ino)
      assert.deepStrictEqual(a?.nlink, Option.some(2n))
      assert.strictEqual((yield* fs.stat("/mnt")).dev, 9n)
      assert.isTrue(Exit.isFailure(yield* Effect.exit(fs.rename("/a", "/mnt/a"))))
    })
  )

  it.effect("may fold case, and keeps the spelling on disk", () =>
    Effect.gen(function* () {
      const { fileSystem: fs } = FakeFileSystem.make({ "/Name": { text: "" } }, { foldsCase: true })
      assert.isTrue(yield* fs.exists("/nAME"))
      assert.deepStrictEqual(yield* fs.readDirectory("/"), ["Name"])
    })
  )
})
