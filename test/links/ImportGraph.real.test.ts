import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import { fileURLToPath } from "node:url"
import { tempRoot } from "../TempRoot.ts"
import * as Child from "./Child.ts"

const project = fileURLToPath(new URL("../..", import.meta.url))

/** Prints the URL of every module that importing `entry` loads, and what the module exports. */
const program = (entry: string) => `
  import { registerHooks } from "node:module"
  const loaded = []
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
  const exported = Object.keys(await import(${JSON.stringify(entry)}))
  console.log(JSON.stringify({ loaded, exported }))
`

describe("session-liveness/node, built", () => {
  it.effect(
    "loads neither FileSystem nor Schema nor the Node platform until the full layer is built",
    () =>
      Effect.gen(function* () {
        const place = yield* tempRoot
        // What is built here finds its dependencies as it would in the project.
        fs.symlinkSync(`${project}/node_modules`, `${place}/node_modules`)
        fs.writeFileSync(`${place}/package.json`, JSON.stringify({ type: "module" }))
        yield* Child.run(process.execPath, [
          `${project}/node_modules/typescript/bin/tsc`,
          "-p",
          `${project}/src`,
          "--outDir",
          `${place}/dist`,
          "--noCheck"
        ])
        const printed = yield* Child.run(process.execPath, [
          "--input-type=module",
          "--eval",
          program(`${place}/dist/node/index.js`)
        ])
        const {
          loaded,
          exported
        }: { readonly loaded: ReadonlyArray<string>; readonly exported: ReadonlyArray<string> } = JSON.parse(printed)
        assert.includeMembers([...exported], ["layer", "layerSidecar", "layerSidecarReader", "layerLinkWriter"])
        assert.isTrue(loaded.some((url) => url.endsWith("/dist/node/SyncFiles.js")))
        assert.isTrue(loaded.some((url) => url.endsWith("/effect/dist/Effect.js")))
        const heavy = /\/(effect\/dist\/(index|FileSystem|Schema|Stream)\.js|@effect\/platform-node)/
        assert.deepStrictEqual(
          loaded.filter((url) => heavy.test(url)),
          []
        )
      }),
    { timeout: Child.patience }
  )
})
