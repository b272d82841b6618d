import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { tempRoot } from "../TempRoot.ts"
import { project, run, shell } from "./Program.ts"

const readme = fs.readFileSync(path.join(project, "README.md"), "utf8")

const block = (language: string): string => readme.split(`\`\`\`${language}\n`)[1]?.split("```")[0] ?? ""

describe("README", () => {
  it.effect("its example runs as it stands", () =>
    Effect.gen(function* () {
      const MY_ROOT = yield* tempRoot
      const line = `"$NODE" --input-type=module-typescript --eval "$EXAMPLE"`
      const outcome = yield* shell("", line, { cwd: project, env: { MY_ROOT, EXAMPLE: block("ts") } })
      assert.deepStrictEqual(outcome, { stdout: "2 \nRead\n", stderr: "", exitCode: 0, signal: null })
    })
  )

  it("its settings are JSON and name programs that are built", () => {
    const settings = JSON.stringify(JSON.parse(block("json")))
    const built = [...settings.matchAll(/dist\/bin\/[\w-]+\.js/g)].map(([name]) => name)
    assert.lengthOf(built, 2)
    for (const name of built) assert.isTrue(fs.existsSync(path.join(project, name)), name)
  })

  it.effect("its programs know the flags that it names", () =>
    Effect.gen(function* () {
      const rows = [...readme.matchAll(/^\| `([a-z-]+)` \|.*\|.*\|.*\|$/gm)]
      assert.deepStrictEqual(
        rows.map(([, name]) => name),
        ["record-link", "status-line", "prune", "tour"]
      )
      for (const [row, name] of rows) {
        const { stdout } = yield* run(`examples/${name}.ts`, ["--help"])
        for (const [flag] of row.matchAll(/--[a-z-]+/g)) assert.include(stdout, flag)
      }
    })
  )
})
