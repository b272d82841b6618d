import { NodeFileSystem } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, FileSystem, PlatformError } from "effect"
import * as fs from "node:fs"
import * as PathResolver from "../../src/claims/PathResolver.ts"
import * as LeadingLinks from "../../src/verdict/LeadingLinks.ts"
import { tempRoot } from "../TempRoot.ts"

it.effect("a link of the main worktree leads into one that lies within it, or beside it", () =>
  Effect.gen(function* () {
    const root = fs.realpathSync(yield* tempRoot)
    const main = `${root}/app`
    const inner = `${main}/.claude/worktrees/inner`
    const beside = `${root}/beside`
    for (const tree of [inner, beside]) fs.mkdirSync(`${tree}/node_modules`, { recursive: true })
    fs.mkdirSync(`${main}/web/deep`, { recursive: true })
    fs.mkdirSync(`${beside}/node_modules/@scope`)
    fs.symlinkSync(inner, `${beside}/node_modules/@scope/inner`)
    fs.symlinkSync(`${inner}/node_modules`, `${main}/node_modules`)
    fs.symlinkSync("../../beside/node_modules", `${main}/web/modules`)
    fs.symlinkSync(`${inner}/node_modules`, `${main}/web/deep/too-deep`)
    const system = yield* FileSystem.FileSystem
    const links = yield* LeadingLinks.gather(system, PathResolver.make(system), [main, inner, beside])
    const found = links.map(({ target, ...link }) => ({ ...link, target: target.path }))
    assert.deepStrictEqual(found, [
      { path: `${main}/node_modules`, worktree: main, target: `${inner}/node_modules` },
      { path: `${main}/web/modules`, worktree: main, target: `${beside}/node_modules` },
      { path: `${beside}/node_modules/@scope/inner`, worktree: beside, target: inner }
    ])
  }).pipe(Effect.provide(NodeFileSystem.layer))
)

it.effect("a link that cannot be read is not passed over", () =>
  Effect.gen(function* () {
    const root = fs.realpathSync(yield* tempRoot)
    fs.symlinkSync("elsewhere", `${root}/link`)
    const real = yield* FileSystem.FileSystem
    const denied = (method: string) => () =>
      Effect.fail(
        PlatformError.systemError({ _tag: "PermissionDenied", module: "FileSystem", method, pathOrDescriptor: root })
      )
    for (const method of ["readLink", "realPath"] as const) {
      const failing = { ...real, [method]: denied(method) }
      const why = yield* Effect.flip(LeadingLinks.gather(failing, PathResolver.make(failing), [root]))
      assert.match(why, /PermissionDenied/)
    }
  }).pipe(Effect.provide(NodeFileSystem.layer))
)
