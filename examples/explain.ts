#!/usr/bin/env node
/**
 * Why one worktree may be reclaimed, or may not.
 */
import { Duration, Effect, Option, Result } from "effect"
import * as fs from "node:fs"
import { Git, Reclaim, ReclaimRecord } from "session-liveness"
import * as Age from "./Age.ts"
import * as Cli from "./cli.ts"
import * as Evidence from "./explain/Evidence.ts"
import * as Judging from "./Judging.ts"
import * as Only from "./Only.ts"
import * as Table from "./Table.ts"

const help = `explain: shows the whole chain of evidence on one worktree, gate by gate

Usage: node examples/explain.ts PATH [--quiet-for AGE] [--json] [--caller ID] [--dismiss ID] [--here]
                                [--socket NAME] [--no-manager] [--root DIR]

  PATH            a linked worktree
  --quiet-for AGE how long nothing must have happened in it: 12h, 7d, 2w (default: 24h)
  --json          print one JSON object
${Judging.help}
${Judging.noManagerHelp}

Every gate is asked, also behind the first that refuses, which gives the verdict. Nothing is changed.

Exit codes: 0 every gate permits; 1 at least one refuses, or PATH is no linked worktree; 2 wrong usage;
130 interrupted.`

const { values: flags, positionals } = Cli.flagsAndPaths(help, {
  ...Judging.options,
  ...Judging.noManager,
  "quiet-for": { type: "string" },
  json: { type: "boolean" }
})
const { json = false, "quiet-for": quietFor } = flags

const [given = "", ...others] = positionals
if (given === "" || others.length > 0) Cli.fail("Name one worktree.", 2)

const path = Judging.absolute(given)
const quiet = quietFor === undefined ? undefined : Duration.toMillis(Age.parse("--quiet-for", quietFor))

const refused = (why: string): number => {
  if (json) Cli.out(Cli.json({ path, verdict: "Refuse", gate: null, reason: why }))
  else Cli.err(`explain: ${why}`)
  return 1
}

const explain = Effect.gen(function* () {
  const tombstone = tombstoneAt(path)
  if (Option.isSome(tombstone))
    return refused(`${path} was moved aside, and lies at ${tombstone.value.aside}; ${restore}`)
  const git = yield* Git.Git
  const listed = yield* Effect.result(git.repository(path))
  if (Result.isFailure(listed)) return refused(listed.failure.message)
  const { commonDirectory, worktrees } = listed.success
  const here = canonical(path)
  const worktree = worktrees.find((worktree) => canonical(worktree.path) === here)
  if (worktree === undefined) return refused(`${path} is no worktree itself, but lies in one; name its top directory`)
  const record = ReclaimRecord.parseLock(worktree.locked ?? "")
  if (Option.isSome(record) && record.value.path !== worktree.path) {
    return refused(`${path} was moved aside from ${record.value.path}; ${restore}, and --expire says whether it may go`)
  }
  if (worktree.main) return refused(`${path} is the main worktree of ${commonDirectory}, which is never reclaimed`)
  const plan = yield* Reclaim.survey({
    ...(yield* Judging.claimOptions(flags)),
    repositories: [path],
    quiet
  }).pipe(Only.worktrees(new Set([worktree.path])))
  const [candidate] = plan.candidates
  if (candidate === undefined) return refused(plan.unlisted[0]?.reason ?? `${path} has gone meanwhile`)
  if (json) Cli.out(Cli.json(Evidence.json(candidate)))
  else for (const line of Evidence.lines(candidate, quiet, Table.terminal())) Cli.out(line)
  return candidate.verdict._tag === "Permit" ? 0 : 1
})

const restore = "`node examples/sweep.ts --restore PATH` puts it back"

/** What the file says that a worktree leaves behind when it is moved aside. */
const tombstoneAt = (path: string): ReturnType<typeof ReclaimRecord.parseTombstone> => {
  try {
    return fs.lstatSync(path).isFile() ? ReclaimRecord.parseTombstone(fs.readFileSync(path, "utf8")) : Option.none()
  } catch {
    return Option.none()
  }
}

/** A worktree whose directory has gone is still listed by its path. */
const canonical = (path: string): string => {
  try {
    return fs.realpathSync(path)
  } catch {
    return path
  }
}

Judging.run("explain", flags, explain)
