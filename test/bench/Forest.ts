import { Effect } from "effect"
import { execFile, execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { promisify } from "node:util"
import { DiskUsage, Reclaim, type SlimPlan } from "../../src/internal.ts"
import { layerListing } from "../../src/node/DirectoryListing.ts"
import * as Slimming from "../reclaim/Slimming.ts"
import * as Reclaiming from "../reclaim/Stage.ts"
import * as Repo from "../verdict/Repo.ts"
import { type Benchmark, compare, must, type Stage } from "./Bench.ts"

const MiB = 1024 * 1024

const packages = 100

/** What a build leaves in one worktree: many small files and a few that take all the space. */
const build = (tree: string, packages: number, large: number): void => {
  const modules = path.join(tree, "node_modules")
  for (let n = 0; n < packages; n++) {
    const at = path.join(modules, `package-${n}`)
    fs.mkdirSync(path.join(at, "lib"), { recursive: true })
    for (const file of ["package.json", "README.md", "index.js", "lib/a.js", "lib/b.js", "lib/c.js"]) {
      fs.writeFileSync(path.join(at, file), "x".repeat(500))
    }
  }
  execFileSync("fallocate", ["-l", String(large), path.join(modules, "cache")])
  Slimming.age(tree)
}

const make = (stage: Stage, count: number) => {
  const root = stage.directory()
  const main = Repo.create(path.join(root, "main"))
  Repo.commit(main, { ".gitignore": "node_modules/\n", "package.json": "{}", "src/a.ts": "a" })
  const trees = Array.from({ length: count }, (_, n) => {
    stage.say(`worktree ${n + 1} of ${count}`)
    return Repo.link(main, path.join(root, "trees", String(n)), `work-${n}`)
  })
  // Somebody's own work, which has to stay.
  for (const tree of trees) fs.writeFileSync(path.join(tree, "notes.txt"), "mine")
  const fill = () => trees.forEach((tree) => build(tree, packages, 100 * MiB))
  return { root, common: path.join(main, ".git"), trees, fill }
}

const du = (trees: ReadonlyArray<string>) => promisify(execFile)("du", ["-sk", ...trees])

export const benchmark: Benchmark = {
  name: "forest",
  about: "40 worktrees with 4 GiB of node_modules: their sizes against `du`, their removal against `rm -rf`",
  run: async (stage) => {
    const count = stage.quick ? 4 : 40
    const [ours, theirs] = [make(stage, count), make(stage, count)]
    const run = <A>(program: Effect.Effect<A, never, Reclaim.Services>) =>
      Effect.runPromise(Reclaiming.run(ours, program.pipe(Effect.provide(layerListing))))
    ours.fill()
    // As `sweep` does, which measures what it has surveyed.
    const { candidates } = await run(Reclaim.survey({ repositories: [ours.common] }))
    must(candidates.length === count, `${candidates.length} candidates`)
    const sizes = () => run(Reclaim.measure({ trees: candidates }))
    const taken = (await sizes()).total.bytes
    const printed = (await du(ours.trees)).stdout
      .split("\n")
      .reduce((sum, line) => sum + Number.parseInt(line || "0", 10), 0)
    must(taken === printed * 1024, `${taken} bytes by us and ${printed * 1024} by du`)
    const names = ours.trees.reduce((sum, tree) => sum + fs.readdirSync(tree, { recursive: true }).length, 0)
    let plan: SlimPlan.SlimPlan | undefined
    let freed = 0
    const measured = await compare(stage, {
      what: `\`Reclaim.measure\` of ${count} worktrees with ${DiskUsage.format(taken)}, ${names.toLocaleString("en")} files and directories`,
      rival: "`du -sk` of them, which tells nothing of what can be made again",
      atMost: 1.5,
      subject: { run: sizes },
      against: { run: () => du(ours.trees) },
      pairs: 5
    })
    const removed = await compare(stage, {
      what: "`Reclaim.slim` of them: judged, listed and looked at anew, moved out, removed",
      rival: "`rm -rf` of the same directories",
      atMost: 1.5,
      subject: {
        prepare: async () => {
          ours.fill()
          plan = await run(Reclaim.planSlim({ repositories: [ours.common] }))
        },
        run: async () => {
          const outcomes = plan === undefined ? [] : await run(Reclaim.slim(plan))
          freed = outcomes.reduce((sum, outcome) => sum + (outcome._tag === "Slimmed" ? outcome.freed : 0), 0)
          must(freed > count * 100 * MiB, `${freed} bytes freed: ${JSON.stringify(outcomes[0])}`)
        }
      },
      against: {
        prepare: theirs.fill,
        run: () => promisify(execFile)("rm", ["-rf", ...theirs.trees.map((tree) => path.join(tree, "node_modules"))])
      },
      pairs: 3,
      warmUp: 0
    })
    const left = ours.trees.filter((tree) => fs.readFileSync(path.join(tree, "notes.txt"), "utf8") === "mine").length
    must(left === count, `${left} of ${count} notes are left`)
    return [measured, { ...removed, what: `${removed.what}; ${DiskUsage.format(freed)} freed, all else left` }]
  }
}
