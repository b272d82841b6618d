/**
 * Runs benchmarks. Each compares within one run on one machine; only ratios are worth quoting.
 */
import * as fs from "node:fs"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { type Benchmark, carryOut, type Figure } from "./Bench.ts"
import * as Bundle from "./Bundle.ts"
import * as Ccstatusline from "./Ccstatusline.ts"
import * as EventLoop from "./EventLoop.ts"
import * as Forest from "./Forest.ts"
import * as Grep from "./Grep.ts"
import * as Growth from "./Growth.ts"
import * as Judge from "./Judge.ts"
import * as Ledger from "./Ledger.ts"
import * as Machine from "./Machine.ts"
import * as Observe from "./Observe.ts"
import * as Record from "./Record.ts"
import * as Report from "./Report.ts"
import * as Scan from "./Scan.ts"
import * as StatusLine from "./StatusLine.ts"
import * as Sweep from "./Sweep.ts"

const benchmarks: ReadonlyArray<Benchmark> = [
  StatusLine,
  Scan,
  Record,
  Observe,
  Judge,
  Ledger,
  Ccstatusline,
  Grep,
  Sweep,
  Forest,
  Growth,
  EventLoop,
  Bundle
].map(({ benchmark }) => benchmark)

const list = benchmarks.map(({ name, about }) => `  ${name.padEnd(14)}${about}`).join("\n")

const help = `bench: measures the library against what it is compared with, in pairs within one run

Usage: npm run bench -- [NAME ...] [--quick] [--json FILE] [--markdown]

  NAME         only these
  --quick      few pairs and small worlds: to see that it runs, not to quote
  --json FILE  writes machine and figures there as well
  --markdown   puts the figures of a whole run into the README, and draws growth.svg
  --list       prints the names
  -h, --help   prints this

${list}

Exit codes: 0 measured, whatever the figures are; 1 something could not be carried out; 2 wrong usage; 130 interrupted.`

const usage = (message: string): never => {
  console.error(`bench: ${message}\nTry --help.`)
  return process.exit(2)
}

const parse = () => {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        quick: { type: "boolean", default: false },
        json: { type: "string" },
        markdown: { type: "boolean", default: false },
        list: { type: "boolean" },
        help: { type: "boolean", short: "h" }
      }
    })
  } catch (error) {
    return usage(error instanceof Error ? error.message : String(error))
  }
}

const { values, positionals: names } = parse()
if (values.help === true || values.list === true) {
  console.log(values.help === true ? help : list)
  process.exit(0)
}
const unknown = names.find((name) => !benchmarks.some((benchmark) => benchmark.name === name))
if (unknown !== undefined) usage(`there is no benchmark ${unknown}`)
if (values.markdown && (names.length > 0 || values.quick))
  usage("--markdown takes a whole run: neither names nor --quick")

/** One line that is written over; where nobody looks on, there is none. */
const say = (text: string): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[2K${text.slice(0, process.stderr.columns - 1)}`)
}

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130))

const machine = Machine.look()
console.log(Machine.line(machine))
const figures: Array<Figure> = []
let failed = false
for (const benchmark of benchmarks.filter(({ name }) => names.length === 0 || names.includes(name))) {
  try {
    for (const figure of await carryOut(benchmark, { quick: values.quick, say })) {
      say("")
      console.log(`\n${benchmark.name}: ${Report.text(figure)}`)
      figures.push(figure)
    }
  } catch (error) {
    failed = true
    say("")
    console.error(`\n${benchmark.name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  }
}
if (values.json !== undefined) fs.writeFileSync(values.json, `${JSON.stringify({ machine, figures }, null, 2)}\n`)
if (values.markdown && !failed) {
  for (const figure of figures) {
    if (figure._tag === "Table" && figure.image !== undefined) {
      fs.writeFileSync(new URL(figure.image.file, import.meta.url), figure.image.svg)
    }
  }
  const readme = fileURLToPath(new URL("README.md", import.meta.url))
  fs.writeFileSync(readme, Report.replace(fs.readFileSync(readme, "utf8"), Report.markdown(machine, figures)))
}
process.exitCode = failed ? 1 : 0
