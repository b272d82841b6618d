import { NodeFileSystem } from "@effect/platform-node"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Layer, Option } from "effect"
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { LinkWriter, ManagedId, SessionLinks } from "../../src/internal.ts"
import { tempRoot } from "../TempRoot.ts"
import * as Answers from "./Answers.ts"
import * as NodeFs from "./NodeFs.ts"

/** One key for all spellings that the file systems of macOS and Windows take for the same name. */
const key = (name: string): string => name.normalize("NFC").toLowerCase()

/** The path as it is on disk, when an entry of another spelling stands there. */
const onDisk = (given: string): string => {
  const directory = path.dirname(given)
  try {
    const found = readdirSync(directory).find((name) => key(name) === key(path.basename(given)))
    return found === undefined ? given : `${directory}/${found}`
  } catch {
    return given
  }
}

const { lstatSync, openSync, readdirSync } = fs

/** `node:fs` as it is over a directory that folds names. */
const foldNodeFs = NodeFs.replace({
  openSync: (given, ...rest) => openSync(onDisk(String(given)), ...rest),
  lstatSync: Object.assign(
    (given: fs.PathLike, options?: fs.StatSyncOptions) => lstatSync(onDisk(String(given)), options),
    lstatSync
  )
})

/** `FileSystem` as it is over a directory that folds names. */
const foldedFileSystem = Layer.effect(
  FileSystem.FileSystem,
  Effect.map(FileSystem.FileSystem, (real) =>
    FileSystem.FileSystem.of({
      ...real,
      lstat: (given) => real.lstat(onDisk(given)),
      open: (given, options) => real.open(onDisk(given), options),
      readFile: (given) => real.readFile(onDisk(given)),
      stat: (given) => real.stat(onDisk(given))
    })
  )
).pipe(Layer.provide(NodeFileSystem.layer))

/**
 * A directory whose file system folds case by itself: any on a Mac, else one on an ext4 image where that may be mounted.
 */
const disk = (() => {
  const place = fs.mkdtempSync(path.join(os.tmpdir(), "session-liveness-"))
  const ran = (command: string, ...args: ReadonlyArray<string>) => spawnSync(command, args).status === 0
  const [image, mounted, root] = [`${place}/image`, `${place}/mounted`, `${place}/mounted/root`]
  fs.mkdirSync(root, { recursive: true })
  const image16MiB = () => {
    fs.writeFileSync(image, "")
    fs.truncateSync(image, 16 * 1024 ** 2)
    return image
  }
  const mount = !folds(root) && ran("mkfs.ext4", "-q", "-O", "casefold", image16MiB()) && ran("mount", image, mounted)
  if (mount) {
    fs.mkdirSync(root, { recursive: true })
    ran("chattr", "+F", root)
  }
  const remove = () => {
    if (mount) ran("umount", mounted)
    fs.rmSync(place, { recursive: true })
  }
  if (folds(root)) return { root, remove }
  remove()
  return undefined
})()

afterAll(() => disk?.remove())

function folds(directory: string): boolean {
  fs.writeFileSync(`${directory}/spelling`, "")
  return fs.existsSync(`${directory}/SPELLING`)
}

interface Folding {
  readonly root: string
  readonly layer: Layer.Layer<Answers.Services>
}

const check = ({ root, layer }: Folding) => {
  const sidecar = `${root}/usage/session-links`
  const read = (file: string) => fs.readFileSync(`${sidecar}/${file}`, "utf8")
  fs.mkdirSync(sidecar, { recursive: true })
  fs.writeFileSync(`${sidecar}/Session-é`, "a\n")
  fs.writeFileSync(`${sidecar}/Session`, "b\ntorn")
  return Effect.gen(function* () {
    for (const other of ["session", "SESSION", "sEsSION", "session-é", "SESSION-É"]) {
      const error = yield* Effect.flip(SessionLinks.record(other, "c"))
      assert.strictEqual(error.reason._tag, "NameFolds", other)
      assert.include(error.message, "another spelling")
      assert.isFalse(yield* SessionLinks.recordLink(other, "c"))
    }
    const writer = yield* LinkWriter.LinkWriter
    const managedId = Option.getOrThrow(ManagedId.parse("session"))
    assert.strictEqual((yield* Effect.flip(writer.closeTail(managedId))).reason._tag, "NameFolds")
    assert.strictEqual(read("Session-é"), "a\n")
    assert.strictEqual(read("Session"), "b\ntorn")

    assert.isTrue(yield* SessionLinks.recordLink("Session-é", "c"))
    assert.isTrue(yield* SessionLinks.recordLink("Session", "d"))
    assert.isTrue(yield* SessionLinks.recordLink("another", "e"))
    assert.isTrue(yield* SessionLinks.recordLink("12345", "f"))
    assert.isTrue(yield* SessionLinks.recordLink("12345", "g"))
    assert.strictEqual(read("Session-é"), "a\nc\n")
    assert.strictEqual(read("Session"), "b\ntorn\u0018\nd\n")
    assert.sameMembers(fs.readdirSync(sidecar), ["Session-é", "Session", "another", "12345"])
  }).pipe(Effect.provide(layer))
}

describe("where names fold, a link file of another spelling is not appended to", () => {
  it.effect("node:fs, made to fold", () =>
    Effect.gen(function* () {
      const root = yield* tempRoot
      yield* foldNodeFs
      yield* check({ root, layer: Answers.layers["node:fs"](root) })
    })
  )

  it.effect("FileSystem, made to fold", () =>
    Effect.flatMap(tempRoot, (root) =>
      check({ root, layer: Answers.overFileSystem(root).pipe(Layer.provide(foldedFileSystem)) })
    )
  )

  for (const name of Answers.layerNames) {
    it.effect.skipIf(disk === undefined)(`${name}, on a disk that folds`, () => {
      const root = `${disk?.root}/${name.replace(":", "")}`
      return check({ root, layer: Answers.layers[name](root) })
    })
  }
})
