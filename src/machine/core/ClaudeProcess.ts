/**
 * Which processes are Claude Code's, told by the paths of their executables and scripts and never by the kernel's command
 * name alone.
 */
import * as Interpreter from "./Interpreter.ts"
import { baseName, isZombie, type Process, withoutDeleted } from "./Processes.ts"

/**
 * `Session` runs a session of its own. `Spare` waits to be given one, which its registry entry says. `None` is no process
 * of Claude Code, or a helper of one.
 */
export type Role = "Session" | "Spare" | "None"

export const roleOf = (process: Process): Role => {
  const args = argsOf(process)
  if (args === undefined || isHelper(args)) return "None"
  return args.includes("--bg-spare") ? "Spare" : "Session"
}

/**
 * What was handed to Claude Code, or `undefined` when the process does not run it.
 */
const argsOf = (process: Process): ReadonlyArray<string> | undefined => {
  if (isZombie(process)) return undefined
  const [command, ...args] = process.args
  // A title that a script gave itself hides the script and every argument.
  const titled = process.executable === undefined || Interpreter.isRuntime(process.executable)
  if (isClaudePath(process.executable) || (titled && isClaudePath(command))) return args
  const script = args.findIndex(
    (arg, index) => !arg.startsWith("-") && !takesValue.has(args[index - 1] ?? "") && !runs.has(arg)
  )
  return isClaudePath(args[script]) ? args.slice(script + 1) : undefined
}

/** Options of runtimes whose value is an argument of its own, before the script. */
const takesValue: ReadonlySet<string> = new Set([
  "-C",
  "-r",
  "--conditions",
  "--disable-warning",
  "--dns-result-order",
  "--env-file",
  "--env-file-if-exists",
  "--experimental-loader",
  "--icu-data-dir",
  "--import",
  "--input-type",
  "--inspect-port",
  "--loader",
  "--localstorage-file",
  "--openssl-config",
  "--preload",
  "--require",
  "--stack-trace-limit",
  "--title",
  "--unhandled-rejections"
])

/** What stands before the script of a runtime that has commands. */
const runs: ReadonlySet<string> = new Set(["run", "x", "exec"])

/**
 * The same of a command line whose arguments were joined by spaces, so that a path may go on behind one: of the command
 * itself, and of the script of a runtime.
 */
export const isNamedIn = (line: string, isRuntime: boolean): boolean => {
  const [command = "", ...pieces] = line.split(/ (?=[/-])/)
  const script = pieces.find((piece, index) => piece.startsWith("/") && !takesValue.has(pieces[index - 1] ?? ""))
  return [command, ...(isRuntime && script !== undefined ? [script] : [])].some((text) => {
    const words = text.split(" ")
    return words.some((_, end) => isClaudePath(words.slice(0, end + 1).join(" ")))
  })
}

export const isClaudePath = (command: string | undefined): boolean =>
  command !== undefined &&
  (programName.test(baseName(command)) || through.some((part) => withoutDeleted(command).includes(part)))

/** Packagers put a dot before it and say behind it whether it is the wrapped one. */
const programName = /^\.?claude(-code)?(-v?[0-9][^/]*?)?(\.exe|\.[cm]?js)?(-(un)?wrapped_*)?$/

const through: ReadonlyArray<string> = [
  "/claude/versions/",
  "/claude-code/",
  "/claude-agent-sdk/",
  "/.claude/remote/",
  "/ccd-cli/"
]

const isHelper = (args: ReadonlyArray<string>): boolean =>
  (args[0] === "mcp" && args[1] === "serve") ||
  (args[0] === "daemon" && args[1] === "run") ||
  helperOptions.some((option) => args.includes(option))

const helperOptions: ReadonlyArray<string> = ["--bg-pty-host", "--chrome-native-host", "--claude-in-chrome-mcp"]
