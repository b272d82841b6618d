/**
 * What others would take away of the same evening. Each says which of the trees it would remove, or why it was not run.
 */
import { execFileSync, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import type { Evening } from "./Evening.ts"
import { git } from "./Hands.ts"

export type Answer =
  | { readonly _tag: "Takes"; readonly paths: ReadonlySet<string> }
  | { readonly _tag: "NotRun"; readonly why: string }

export interface Peer {
  readonly name: string
  readonly ask: (evening: Evening, root: string) => Answer
}

const linked = ({ repositories }: Evening): ReadonlyArray<readonly [main: string, tree: string, trunk: string]> =>
  repositories.flatMap(({ main, trunk }) =>
    [...git(main, ["worktree", "list", "--porcelain"]).matchAll(/^worktree (.+)$/gm)]
      .slice(1)
      .map(([, tree = ""]) => [main, tree, trunk] as const)
  )

const prune: Peer = {
  name: "`git worktree prune`",
  ask: (evening) => {
    const before = linked(evening).map(([, tree]) => tree)
    for (const { main } of evening.repositories) git(main, ["worktree", "prune", "--expire", "now"])
    const after = new Set(linked(evening).map(([, tree]) => tree))
    return { _tag: "Takes", paths: new Set(before.filter((tree) => !after.has(tree))) }
  }
}

const mergedAndClean: Peer = {
  name: '"merged and clean" as a shell line',
  ask: (evening) => {
    const takes = linked(evening).filter(([, tree, trunk]) => {
      const merged = spawnSync("git", ["-C", tree, "merge-base", "--is-ancestor", "HEAD", trunk]).status === 0
      return merged && git(tree, ["status", "--porcelain"]) === ""
    })
    return { _tag: "Takes", paths: new Set(takes.map(([, tree]) => tree)) }
  }
}

/** It knows only what it made, so the evening is entered in its registry; what it suggests to delete counts as taken. */
const audit = (home: string): Peer => ({
  name: "`wt audit` of @tokenbooks/wt 0.6.1",
  ask: (evening, root) => {
    const prefix = path.join(root, "wt")
    try {
      execFileSync(
        "npm",
        ["install", "--silent", "--no-audit", "--no-fund", "--prefix", prefix, "@tokenbooks/wt@0.6.1"],
        {
          stdio: "ignore",
          timeout: 60_000,
          env: { ...process.env, HOME: home }
        }
      )
    } catch {
      return { _tag: "NotRun", why: "it could not be installed" }
    }
    const program = path.join(prefix, "node_modules/@tokenbooks/wt/dist/cli.js")
    const paths = new Set<string>()
    for (const { main, trunk } of evening.repositories) {
      const branches = git(main, ["worktree", "list", "--porcelain"])
        .split("\n\n")
        .slice(1)
        .flatMap((entry) => [/^worktree (.+)\nHEAD .+\nbranch refs\/heads\/(.+)$/m.exec(entry)?.slice(1, 3) ?? []])
        .filter(({ length }) => length === 2)
      const allocations = branches.map(([worktreePath, branchName], slot) => [
        String(slot + 1),
        { worktreePath, branchName, dbName: `db${slot}`, ports: {}, createdAt: new Date(0).toISOString() }
      ])
      const registry = { version: 1, allocations: Object.fromEntries(allocations) }
      fs.writeFileSync(path.join(main, ".worktree-registry.json"), JSON.stringify(registry))
      const { stdout } = spawnSync(process.execPath, [program, "audit", "--json", "--no-fetch", "--base", trunk], {
        cwd: main,
        encoding: "utf8"
      })
      try {
        const { data } = JSON.parse(stdout) as { data: ReadonlyArray<{ path: string; verdict: string }> }
        for (const { path: tree, verdict } of data) {
          if (verdict.startsWith("delete")) paths.add(fs.existsSync(tree) ? fs.realpathSync(tree) : tree)
        }
      } catch {
        // A repository that it cannot audit is one in which it takes nothing.
      }
    }
    return { _tag: "Takes", paths }
  }
})

/** `home` is where npm finds its settings. */
export const all = (home: string): ReadonlyArray<Peer> => [audit(home), mergedAndClean, prune]
