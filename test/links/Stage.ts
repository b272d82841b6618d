import { NodeFileSystem } from "@effect/platform-node"
import { Effect, Layer, Result, type Scope } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { LinkWriter, Root, SavingsLedger, SessionRecord, SessionStore, SidecarReader } from "../../src/internal.ts"
import * as Node from "../../src/node/index.ts"
import type * as MemoryFiles from "../../src/links/MemoryFiles.ts"
import { FakeFileSystem } from "../../src/testing/index.ts"
import { tempRoot } from "../TempRoot.ts"
import * as Tree from "../Tree.ts"

export type Files = SidecarReader.SidecarReader | LinkWriter.LinkWriter | SavingsLedger.SavingsLedger

/**
 * A root on which layers are tried. `put` makes files below it, `look` gives the regular ones by their path below it,
 * one character a byte.
 */
export interface Stage {
  readonly files: Layer.Layer<Files>
  readonly store: Layer.Layer<SessionStore.SessionStore>
  readonly put: (tree: Tree.Tree) => void
  readonly look: () => Readonly<Record<string, string>>
  readonly forbid: (path: string) => void
  readonly mode: (path: string) => number | undefined
}

/**
 * One kind of layers. `specials`: it can hold directories, FIFOs and links. `forbids`: it refuses what permissions refuse.
 */
export interface Kind {
  readonly name: string
  readonly specials: boolean
  readonly forbids: boolean
  readonly make: Effect.Effect<Stage, never, Scope.Scope>
}

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1")

const onDisk = (name: string, layers: (root: string) => Pick<Stage, "files" | "store">): Kind => ({
  name,
  specials: true,
  forbids: process.getuid?.() !== 0,
  make: Effect.map(tempRoot, (root) => ({
    ...layers(root),
    put: (tree) => Tree.write(root, tree),
    look: () =>
      Object.fromEntries(
        fs
          .readdirSync(root, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => path.join(entry.parentPath, entry.name))
          .map((full) => [path.relative(root, full), latin1(fs.readFileSync(full))])
      ),
    forbid: (name) => fs.chmodSync(path.join(root, name), 0),
    mode: (name) => fs.statSync(path.join(root, name)).mode & 0o777
  }))
})

const overFileSystem = (root: string) =>
  Layer.mergeAll(SidecarReader.layer({ root }), LinkWriter.layer({ root }), SavingsLedger.layer({ root }))

const fake: Kind = {
  name: "FileSystem over a fake",
  specials: true,
  forbids: true,
  make: Effect.sync(() => {
    const root = "/root"
    const world = FakeFileSystem.make({ [root]: { dir: true } })
    const look = () => world.snapshot()
    return {
      files: Layer.provide(overFileSystem(root), world.layer),
      store: Layer.provide(SessionStore.layer({ root }), world.layer),
      put: (tree) => {
        for (const [name, node] of Object.entries(tree)) {
          const bytes = Tree.bytesOf(node)
          world.put(`${root}/${name}`, bytes === undefined ? (node as FakeFileSystem.Node) : { bytes })
        }
      },
      look: () =>
        Object.fromEntries(
          Object.entries(look()).flatMap(([name, seen]) =>
            "bytes" in seen ? [[name.slice(root.length + 1), latin1(seen.bytes)]] : []
          )
        ),
      forbid: (name) => {
        const seen = look()[`${root}/${name}`]
        if (seen !== undefined) world.put(`${root}/${name}`, { ...seen, mode: 0 })
      },
      mode: (name) => look()[`${root}/${name}`]?.mode
    }
  })
}

const memory: Kind = {
  name: "memory",
  specials: false,
  forbids: false,
  make: Effect.sync(() => {
    const root = "/root"
    const files: MemoryFiles.Files = new Map()
    const options = { root, files }
    return {
      files: Layer.mergeAll(
        SidecarReader.layerMemory(options),
        LinkWriter.layerMemory(options),
        SavingsLedger.layerMemory(options)
      ),
      store: Layer.unwrap(
        Effect.sync(() => {
          const text = new TextDecoder().decode(files.get(Root.store(root))?.bytes)
          return SessionStore.layerMemory(Result.getOrThrow(SessionRecord.parseStore(text)))
        })
      ),
      put: (tree) => {
        for (const [name, node] of Object.entries(tree)) {
          const bytes = Tree.bytesOf(node)
          if (bytes !== undefined) files.set(`${root}/${name}`, { bytes, modifiedAt: 0 })
        }
      },
      look: () => Object.fromEntries([...files].map(([name, { bytes }]) => [path.relative(root, name), latin1(bytes)])),
      forbid: () => {},
      mode: () => undefined
    }
  })
}

/** Every kind that reads and writes link files and the ledger. */
export const kinds: ReadonlyArray<Kind> = [
  onDisk("FileSystem over Node", (root) => ({
    files: Layer.provide(overFileSystem(root), NodeFileSystem.layer),
    store: Layer.provide(SessionStore.layer({ root }), NodeFileSystem.layer)
  })),
  fake,
  memory,
  onDisk("session-liveness/node", (root) => ({ files: Node.layerSidecar({ root }), store: Node.layer({ root }) }))
]
