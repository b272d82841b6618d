/**
 * Real repositories with linked worktrees.
 */
import * as path from "node:path"
import * as Repo from "../verdict/Repo.ts"
import type { Stage } from "./Bench.ts"
import * as Stores from "./Stores.ts"

export interface Worktrees {
  readonly root: string
  readonly repositories: ReadonlyArray<string>
  readonly worktrees: ReadonlyArray<string>
}

/** So many worktrees of ten repositories, all of them quiet, and a record for each, whose session has gone. */
export const make = (stage: Stage, count: number): Worktrees => {
  const root = stage.directory()
  const repositories = Array.from({ length: 10 }, (_, n) => Repo.create(path.join(root, `repository-${n}`)))
  const worktrees = Array.from({ length: count }, (_, n) => {
    stage.say(`worktree ${n + 1} of ${count}`)
    const worktree = Repo.link(repositories[n % 10] ?? "", path.join(root, "w", String(n)), `work-${n}`)
    Repo.age(Repo.adminOf(worktree))
    return worktree
  })
  Stores.records(
    root,
    worktrees.map((workspace_path, n) => ({ id: Stores.managedId(n), tmux_name: `tm-${n}`, workspace_path }))
  )
  return { root, repositories, worktrees }
}
