import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import * as fs from "node:fs"
import * as path from "node:path"
import { Reclaim } from "../../src/internal.ts"
import { CalmWorld } from "../../src/testing/index.ts"
import * as Docs from "./Docs.ts"
import { project, shell } from "./Program.ts"

/** Every page and module that may show TypeScript. */
const pages = ["README.md", "CONTRIBUTING.md", "src", "examples/README.md", "test/README.md"].flatMap((name) =>
  fs.statSync(path.join(project, name)).isFile()
    ? [name]
    : fs
        .readdirSync(path.join(project, name), { recursive: true, encoding: "utf8" })
        .filter((file) => /\.(ts|md)$/.test(file))
        .map((file) => path.join(name, file))
)

const options = {
  extends: path.join(project, "tsconfig.json"),
  // A value that is shown need not be used.
  compilerOptions: { noUnusedLocals: false, typeRoots: [path.join(project, "node_modules/@types")], plugins: [] },
  include: ["."]
}

it.live("every example in pages and comments compiles", () =>
  Effect.gen(function* () {
    const root = yield* Docs.directory
    const write = (name: string, text: string) => fs.writeFileSync(path.join(root, name), text)
    write("tsconfig.json", JSON.stringify(options))
    write(
      "MyProbe.ts",
      `import { FakeTmux, SweepFakes, type SweepWorld } from "session-liveness/testing"
       export const myProbe = (world: () => SweepWorld.SweepWorld, corruptions: ReadonlyArray<FakeTmux.Corruption>) =>
         FakeTmux.layer(() => SweepFakes.toTmux(world()), corruptions)`
    )
    const shown = pages.filter((page) => Docs.blocks(page).length > 0)
    for (const page of shown) {
      Docs.blocks(page).forEach((code, nth) =>
        write(`${page.replaceAll(/[/.]/g, "_")}_${nth + 1}.ts`, `${code}\nexport {}\n`)
      )
    }
    const modules = ["links/SessionLinks", "links/SavingsLedger", "claims/WorkspaceClaims", "reclaim/Reclaim"]
    for (const name of [
      ...modules,
      "verdict/core/Verdict",
      "verdict/OwnerSentinel",
      "node/index",
      "testing/CalmWorld"
    ]) {
      assert.include(shown, `src/${name}.ts`)
    }
    const { stdout, exitCode } = yield* shell("node_modules/typescript/bin/tsc", '"$NODE" "$PROGRAM" -p .', {
      cwd: root
    })
    assert.deepStrictEqual([stdout, exitCode], ["", 0])
  })
)

it.effect("the calm world permits its worktree, until somebody is there", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(CalmWorld.now)
    const survey = Reclaim.survey({ repositories: ["/w/r"] })
    const verdict = ({ candidates: [candidate] }: Effect.Success<typeof survey>) =>
      candidate?.verdict._tag === "Refuse" ? candidate.verdict.gate : candidate?.verdict._tag
    const shell = CalmWorld.process({ uses: [{ kind: "working directory", path: "/w/b" }] })
    const dirty = CalmWorld.worktree({ obstacle: "Dirty" })
    assert.deepStrictEqual(
      [
        verdict(yield* survey.pipe(Effect.provide(CalmWorld.layer()))),
        verdict(yield* survey.pipe(Effect.provide(CalmWorld.layer({ processes: [shell] })))),
        verdict(yield* survey.pipe(Effect.provide(CalmWorld.layer({ worktrees: [dirty] }))))
      ],
      ["Permit", "Occupied", "Git"]
    )
  })
)
