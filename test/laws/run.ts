/**
 * Checks every law, or feeds every parser, for as long as one likes: `npm run laws -- --help`.
 */
import { fork } from "node:child_process"
import { once } from "node:events"
import * as os from "node:os"
import { performance } from "node:perf_hooks"
import * as Cli from "./Cli.ts"
import * as Progress from "./Progress.ts"
import { Laws } from "../../src/testing/index.ts"
import type * as Job from "./Job.ts"
import * as Parsers from "./Parsers.ts"

const help = `usage: npm run laws -- [--runs N] [--seed S] [--only NAME[,NAME…]] [--parsers] [--replay TOKEN]
                    [--workers N] [--json]

Checks the laws L1 to L12 on the library's own layers over random worlds and random faults, outside the tests.

  --runs N        cases of each law, or byte strings for each parser (1,000 unless given)
  --seed S        what the cases are drawn from; the same seed draws the same cases (the date unless given)
  --only NAME     laws by number (L4) or name, or parsers by name, set apart by commas; --list shows them,
                  --list --parsers the parsers
  --parsers       feeds random and mutilated byte strings to the parsers instead
  --replay TOKEN  draws the one case of a report again; with --only and the name of its law
  --workers N     threads (one for each processor unless given)
  --list          names what can be checked
  --json          the summary as JSON
  --help, -h      this text

exit code: 0 nothing was refuted, 1 something was, or could not be checked, 2 wrong usage, 3 a thread broke down`

const flags = Cli.flags(help, {
  runs: { type: "string", default: "1000" },
  seed: { type: "string", default: new Date().toISOString() },
  only: { type: "string" },
  parsers: { type: "boolean", default: false },
  replay: { type: "string" },
  workers: { type: "string", default: String(os.availableParallelism()) },
  list: { type: "boolean", default: false },
  json: { type: "boolean", default: false }
})

const positive = (name: string, text: string): number =>
  /^[1-9][0-9]{0,11}$/.test(text) ? Number(text) : Cli.fail(`--${name} takes a whole number above 0, not ${text}`, 2)

const runs = positive("runs", flags.runs)
const workers = positive("workers", flags.workers)
const kind = flags.parsers ? "parser" : "law"
const known = flags.parsers ? Object.keys(Parsers.parsers) : Laws.all.map(({ name }) => name)

const named = (wanted: string): ReadonlyArray<string> => {
  const found = known.includes(wanted) ? [wanted] : known.filter((name) => name.startsWith(`${wanted} `))
  return found.length > 0 ? found : Cli.fail(`There is no ${kind} ${wanted}; --list names them`, 2)
}

const names = flags.only === undefined ? known : flags.only.split(",").flatMap(named)
if (flags.replay !== undefined && names.length !== 1) {
  Cli.fail("--replay draws a case of one law: give its full name with --only.", 2)
}
if (flags.list) {
  Cli.out(names.join("\n"))
  process.exit(0)
}

/** Cases of one job: few enough that progress shows, and that memory is given back. */
const portion = flags.parsers ? 100_000 : 1_000

const jobs: ReadonlyArray<Job.Job> = Array.from({ length: Math.ceil(runs / portion) }, (_, part) =>
  names.map((name): Job.Job => ({
    kind,
    name,
    cases: Math.min(portion, runs - part * portion),
    seed: `${flags.seed}/${part}`,
    replay: flags.replay
  }))
).flat()

const total = runs * names.length
const done: Array<Job.Done> = []
const started = performance.now()

const one = async (queue: Iterator<Job.Job>): Promise<void> => {
  const worker = fork(new URL("./worker.ts", import.meta.url))
  for (let next = queue.next(); next.done !== true; next = queue.next()) {
    const job = next.value
    worker.send(job)
    const answered = new AbortController()
    const heard = { signal: answered.signal }
    const [answer] = await Promise.race([once(worker, "message", heard), once(worker, "exit", heard)])
    answered.abort()
    if (typeof answer !== "object") Cli.fail(`The worker at ${job.name} ended with exit code ${answer}.`, 3)
    const part = answer as Job.Done
    done.push(part)
    if (part.report !== undefined) {
      Progress.done()
      Cli.write(2, `${told(part.report)}\n`)
    }
    const cases = done.reduce((sum, { cases }) => sum + cases, 0)
    const refuted = done.filter(({ report }) => report !== undefined).length
    Progress.tell(
      `${count(cases)} of ${count(total)} cases, ${job.name}${refuted > 0 ? `, refuted in ${refuted} parts` : ""} …`
    )
  }
  worker.disconnect()
}

/** A report, which has lines, fit for a terminal whatever names it quotes. */
const told = (report: string): string => report.split("\n").map(Cli.printable).join("\n")

const count = (value: number): string => value.toLocaleString("en-US")

const queue = jobs.values()
await Promise.all(Array.from({ length: Math.min(workers, jobs.length) }, () => one(queue)))
Progress.done()

const rows = names.map((name) => {
  const parts = done.filter(({ job }) => job.name === name)
  return {
    name,
    cases: parts.reduce((sum, { cases }) => sum + cases, 0),
    seconds: parts.reduce((sum, { took }) => sum + took, 0) / 1000,
    reports: parts.flatMap(({ report }) => report ?? []),
    undecided: parts.some(({ undecided }) => undecided === true)
  }
})
const cases = rows.reduce((sum, row) => sum + row.cases, 0)
const seconds = (performance.now() - started) / 1000
const unheld = rows.filter(({ reports }) => reports.length > 0)
const refuted = unheld.filter(({ undecided }) => !undecided)
const unchecked = unheld.filter(({ undecided }) => undecided)

if (flags.json) {
  Cli.out(Cli.json({ seed: flags.seed, runs, cases, seconds, workers, rows }))
} else {
  for (const { name, cases, seconds, reports, undecided } of rows) {
    const held = undecided ? "unchecked" : reports.length === 0 ? "holds" : "REFUTED"
    Cli.out(
      `${held.padEnd(9)} ${name.padEnd(32)} ${count(cases).padStart(11)} cases ${seconds.toFixed(1).padStart(8)} s`
    )
  }
  Cli.out(
    `${count(cases)} cases in ${seconds.toFixed(0)} s with ${workers} workers, seed ${flags.seed}: ${
      refuted.length === 0 ? "nothing refuted" : `refuted: ${refuted.map(({ name }) => name).join(", ")}`
    }${unchecked.length === 0 ? "" : `; not checked: ${unchecked.map(({ name }) => name).join(", ")}`}`
  )
  for (const { reports } of unheld) Cli.out(`\n${told(reports[0] ?? "")}`)
}
process.exit(unheld.length === 0 ? 0 : 1)
