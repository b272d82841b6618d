import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { tempRoot } from "../TempRoot.ts"
import * as Repo from "./Repo.ts"
import * as Survey from "./Survey.ts"

it.live("a directory that two registrations name, each in its own way, is no candidate of either", () =>
  Effect.gen(function* () {
    const root = fs.realpathSync(yield* tempRoot)
    const repository = Repo.create(`${root}/repository`)
    const worktree = Repo.link(repository, `${root}/w/fix`, "fix")
    Repo.commit(worktree, { "new.txt": "not merged\n" })
    // As it is left where a worktree is removed by hand and made anew in another case, on a file system that folds it.
    Repo.link(repository, `${root}/w/old`, "old")
    fs.rmSync(`${root}/w/old`, { recursive: true })
    fs.symlinkSync("w", `${root}/also`)
    const [fix, old] = ["fix", "old"].map((name) => path.join(repository, ".git/worktrees", name))
    fs.writeFileSync(`${old}/gitdir`, `${root}/also/fix/.git\n`)
    for (const admin of [fix, old]) Repo.age(admin ?? "")
    const plan = yield* Survey.survey(repository, { root })
    assert.sameMembers(
      plan.candidates.map((candidate) => candidate.path),
      [`${root}/w/fix`, `${root}/also/fix`]
    )
    for (const { path: at, verdict } of plan.candidates) {
      if (verdict._tag !== "Refuse") return assert.fail("it is permitted")
      assert.strictEqual(verdict.gate, "Vantage")
      const other = at === `${root}/w/fix` ? `${root}/also/fix` : `${root}/w/fix`
      assert.include(verdict.reason, `more than one admin directory claims it, one of them as ${other}`)
    }
  }).pipe(Effect.scoped)
)
