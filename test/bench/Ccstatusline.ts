import { execFileSync, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { type Benchmark, compare, must } from "./Bench.ts"
import * as StatusLine from "./StatusLine.ts"

const version = "2.2.30"

const cache = path.join(
  process.env["XDG_CACHE_HOME"] || path.join(os.homedir(), ".cache"),
  "session-liveness-bench",
  `ccstatusline-${version}`
)

/** Where ccstatusline lies; it is fetched when it is first asked for, and kept. */
const fetched = (): string => {
  const program = path.join(cache, "node_modules", "ccstatusline", "dist", "ccstatusline.js")
  if (!fs.existsSync(program)) {
    fs.mkdirSync(cache, { recursive: true })
    const quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--no-save"]
    execFileSync("npm", ["install", ...quiet, "--prefix", cache, `ccstatusline@${version}`], {
      stdio: ["ignore", "ignore", "pipe"],
      timeout: 60_000
    })
  }
  return program
}

export const benchmark: Benchmark = {
  name: "ccstatusline",
  about: `the built status line, against ccstatusline ${version} with its default settings, on the same input`,
  run: async (stage) => {
    const what = "the built status line, whole process, as above"
    const rival = `ccstatusline ${version} with its default settings`
    const ccstatusline = attempt(fetched)
    if (ccstatusline.path === undefined)
      return [{ _tag: "Missing", what: `${what}, against ${rival}`, why: ccstatusline.why }]
    const program = ccstatusline.path
    const { root, start, run } = StatusLine.wholeProcess(stage)
    // Its default settings show the branch, so it is given one.
    must(spawnSync("git", ["init", "-q", root]).status === 0, "there is no git")
    const home = stage.directory()
    const theirs = () =>
      must(start(program, { PATH: process.env["PATH"], HOME: home }).includes("Opus"), "ccstatusline shows nothing")
    // It writes its settings at its first start, and says so.
    spawnSync(process.execPath, [program], { input: "{}", env: { PATH: process.env["PATH"], HOME: home } })
    return [await compare(stage, { what, rival, subject: { run }, against: { run: theirs }, pairs: 31 })]
  }
}

const attempt = (fetch: () => string) => {
  try {
    return { path: fetch() }
  } catch (error) {
    const said = error instanceof Error && "stderr" in error ? String(error.stderr) : ""
    return { path: undefined, why: `npm could not fetch it (${said.split("\n", 1)[0] || "npm is not there"})` }
  }
}
