import { spawn } from "node:child_process"
import * as os from "node:os"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"

/** The command, as it is built. */
export const command = "dist/bin/session-liveness.js"

export const project = fileURLToPath(new URL("../..", import.meta.url))

/** What a program did. */
export interface Outcome {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
}

/** How a program is started; `stdin: undefined` gives it an empty one. */
export interface Given {
  readonly stdin?: string | undefined
  readonly root?: string | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly cwd?: string | undefined
}

const environment = ({ root, env }: Given): NodeJS.ProcessEnv => {
  const { TMUX: _server, TMUX_PANE: _pane, ...rest } = process.env
  const state = path.join(root ?? path.join(os.tmpdir(), `session-liveness-${process.pid}`), "state")
  return { ...rest, XDG_STATE_HOME: state, ...(root === undefined ? {} : { TRUSTY_MPM_ROOT: root }), ...env }
}

export const start = (command: string, args: ReadonlyArray<string>, given: Given, env: NodeJS.ProcessEnv) =>
  Effect.callback<Outcome>((resume) => {
    const child = spawn(command, args, { env: { ...environment(given), ...env }, cwd: given.cwd })
    let stdout = ""
    let stderr = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text))
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text))
    child.stdin.on("error", () => {})
    child.stdin.end(given.stdin ?? "")
    child.on("close", (exitCode, signal) => resume(Effect.succeed({ stdout, stderr, exitCode, signal })))
    return Effect.sync(() => child.kill("SIGKILL"))
  })

/** Runs a file of the project to its end. */
export const run = (file: string, args: ReadonlyArray<string>, given: Given = {}): Effect.Effect<Outcome> =>
  start(process.execPath, [path.join(project, file), ...args], given, {})

/** Runs a line of bash in which `$NODE "$PROGRAM"` starts the file. */
export const shell = (file: string, line: string, given: Given = {}): Effect.Effect<Outcome> =>
  start("bash", ["-c", line], given, { NODE: process.execPath, PROGRAM: path.join(project, file) })
