/**
 * Plays a labelled evening and says how much of what should go goes, how much of what must stay goes, and what space that
 * gives back: for this project, and for the cleaners people use on copies of the same evening.
 */
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { parseArgs } from "node:util"
import type { Evening, Tree } from "./Evening.ts"
import type { Answer } from "./Peers.ts"

const help = `recall: what goes of a labelled evening, and what must not

Usage: npm run recall -- [--verbose] [--json] [--ours]

  --verbose  names every worktree that was judged otherwise than a careful person would, and why
  --json     prints JSON instead of a table
  --ours     asks this project alone
  -h, --help prints this

Runs in pid, mount and time namespaces of its own, in which the machine was booted eight hours ago: Linux, as root.
Exit codes: 0 harm 0 and recall at least 0.9, 1 otherwise, 2 wrong usage.`

const usage = (why: string): never => {
  console.error(`recall: ${why}\nTry --help.`)
  return process.exit(2)
}

const options = (() => {
  try {
    const flag = { type: "boolean" } as const
    return parseArgs({ options: { verbose: flag, json: flag, ours: flag, help: { ...flag, short: "h" } } }).values
  } catch (error) {
    return usage(error instanceof Error ? error.message : String(error))
  }
})()
if (options.help === true) {
  console.log(help)
  process.exit(0)
}

/** Within the namespaces: the home of whoever runs this, set by the process outside. */
const inside = "SESSION_LIVENESS_RECALL"

/** Nothing of the sessions and repositories of whoever runs this reaches the evening. */
const withoutSessions = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !/^(?:GIT_|TMUX|CLAUDE|TRUSTY_|XDG_)/.test(name)))

if (process.env[inside] === undefined) {
  if (process.platform !== "linux" || process.getuid?.() !== 0) usage("needs Linux and root, for namespaces of its own")
  const offset = Math.round(8 * 60 * 60 - os.uptime())
  const script = ["--boottime", String(offset), "--pid", "--fork", "--mount-proc", "--kill-child", process.execPath]
  const { status } = spawnSync("unshare", ["--time", ...script, import.meta.filename, ...process.argv.slice(2)], {
    stdio: "inherit",
    env: { ...withoutSessions(process.env), LANG: "C.UTF-8", [inside]: process.env["HOME"] ?? "/" }
  })
  process.exit(status ?? 1)
}

const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "evening-")))
process.env["HOME"] = path.join(root, "home")
process.env["TMUX_TMPDIR"] = root

const { make } = await import("./Evening.ts")
const Peers = await import("./Peers.ts")
const { Reclaim } = await import("../../../src/internal.ts")
const { layer } = await import("../../../src/node/index.ts")

interface Row {
  readonly name: string
  readonly recall: number
  readonly went: number
  readonly harm: number
  readonly bytes: number
  readonly misjudged: ReadonlyArray<string>
}

const reasons = new Map<string, string>()

const ours = async (evening: Evening): Promise<Answer> => {
  const plan = await Reclaim.survey({ repositories: evening.repositories.map(({ main }) => main) }).pipe(
    Effect.provide(layer({ vantage: "here" })),
    Effect.runPromise
  )
  for (const { path: tree, verdict } of plan.candidates) {
    reasons.set(tree, verdict._tag === "Permit" ? "permitted" : `${verdict.gate}: ${verdict.reason}`)
  }
  for (const { repository, reason } of plan.unlisted) console.error(`${repository}: ${reason}`)
  const permitted = plan.candidates.filter(({ verdict }) => verdict._tag === "Permit").map(({ path: tree }) => tree)
  return { _tag: "Takes", paths: new Set(permitted) }
}

const bytesOf = (directory: string): number =>
  fs.readdirSync(directory, { recursive: true, withFileTypes: true }).reduce((sum, entry) => {
    const file = path.join(entry.parentPath, entry.name)
    return entry.isFile() ? sum + fs.lstatSync(file).blocks * 512 : sum
  }, 0)

const rowOf = (name: string, { trees }: Evening, taken: ReadonlySet<string>): Row => {
  const wrong = (tree: Tree): boolean => taken.has(tree.path) !== tree.goes
  const all = trees.filter(({ goes }) => goes)
  const went = all.filter(({ path: tree }) => taken.has(tree))
  return {
    name,
    recall: went.length / all.length,
    went: went.length,
    harm: trees.filter(({ goes, path: tree }) => !goes && taken.has(tree)).length,
    bytes: [...taken].filter((tree) => fs.existsSync(tree)).reduce((sum, tree) => sum + bytesOf(tree), 0),
    misjudged: trees
      .filter(wrong)
      .map((tree) => `${tree.goes ? "kept" : "TOOK"} ${tree.name} (${tree.because}): ${reasons.get(tree.path) ?? ""}`)
  }
}

const rows: Array<Row> = []
const notRun: Array<string> = []
let counts = { goes: 0, stays: 0 }

/** Each on an evening of its own, made by the same hands: a worktree cannot be copied, because it names where it lies. */
const play = async (name: string, ask: (evening: Evening, at: string) => Answer | Promise<Answer>): Promise<void> => {
  const at = fs.mkdtempSync(path.join(root, "of-"))
  process.env["HOME"] = path.join(at, "home")
  process.env["TMUX_TMPDIR"] = at
  const evening = make(at)
  counts = {
    goes: evening.trees.filter(({ goes }) => goes).length,
    stays: evening.trees.filter(({ goes }) => !goes).length
  }
  try {
    const answer = await ask(evening, at)
    if (answer._tag === "Takes") rows.push(rowOf(name, evening, answer.paths))
    else notRun.push(`${name}: ${answer.why}`)
  } finally {
    evening.end()
    fs.rmSync(at, { recursive: true, force: true })
  }
}

try {
  await play("session-liveness", ours)
  if (options.ours !== true) for (const { name, ask } of Peers.all(process.env[inside] ?? "/")) await play(name, ask)
} finally {
  fs.rmSync(root, { recursive: true, force: true })
}

if (options.json === true) console.log(JSON.stringify({ ...counts, rows, notRun }))
else {
  console.log(`${counts.goes} worktrees should go, ${counts.stays} should stay.\n`)
  console.log("| cleaner | went, of what should | harm, of what should stay | space |\n| --- | ---: | ---: | ---: |")
  for (const { name, recall, went, harm, bytes } of rows) {
    console.log(`| ${name} | ${went} (${(100 * recall).toFixed(0)} %) | ${harm} | ${(bytes / 1e6).toFixed(1)} MB |`)
  }
  for (const why of notRun) console.log(`\nNot run: ${why}`)
}
if (options.verbose === true) for (const line of rows[0]?.misjudged ?? []) console.error(line)
const [own] = rows
process.exitCode = own !== undefined && own.harm === 0 && own.recall >= 0.9 ? 0 : 1
