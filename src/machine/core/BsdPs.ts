/**
 * What the `ps` of macOS prints.
 */
import * as Result from "effect/Result"
import * as ClaudeProcess from "./ClaudeProcess.ts"
import * as Interpreter from "./Interpreter.ts"
import { baseName, isZombie, type Process } from "./Processes.ts"
import * as Timestamp from "../../shared/core/Timestamp.ts"

/** What to ask `ps` for. The arguments come last, because they may hold anything. */
export const args: ReadonlyArray<string> = [
  "-A",
  "-ww",
  // Everything behind the first `=` of an option is a title.
  ...["pid", "ppid", "uid", "stat", "tty", "lstart", "ucomm", "args"].flatMap((column) => ["-o", `${column}=`])
]

/** No `LC_ALL`: under the C locale `é` is printed as `M-CM-)`. Times are those of the C locale, in UTC. */
export const environment: Readonly<Record<string, string>> = {
  LANG: "C",
  LC_TIME: "C",
  LC_CTYPE: "en_US.UTF-8",
  TZ: "UTC"
}

/** When the machine booted, in milliseconds since the epoch, as `sysctl -n kern.boottime` tells it. */
export const bootTime = (text: string): number | undefined => {
  const seconds = /^\{ sec = ([0-9]{1,12}), [^\n]*\n$/.exec(text)?.[1]
  return seconds === undefined ? undefined : Number(seconds) * 1000
}

/**
 * Whether a process may be a server of tmux, which gives itself no title here: it is named so, and has no terminal or may
 * have been told to stay in the foreground. Where the options end is not told.
 */
export const mayBeTmuxServer = ({ name, terminal, state, args: [first = "", ...rest] }: Process): boolean =>
  !isZombie({ state }) &&
  [name, baseName(first).replace(/^-/, "")].some((each) => tmuxName.test(each)) &&
  (!terminal || rest.some((word) => /^-[^-]*D/.test(word)))

/** In any case: the file systems of most Macs fold it. Packagers add a version, or that it is the wrapped one. */
const tmuxName = /^\.?(tmux|tmate)([-._]?v?[0-9].*)?(-(un)?wrapped_*)?$/i

/**
 * Where the executable is not told, its name and the arguments tell of Claude Code, whose executable may be named after
 * its version. A runtime of which no arguments are told may run anything.
 */
const isClaude = (name: string, args: string): boolean =>
  /^v?[0-9]+(\.[0-9]+)+(-[0-9A-Za-z.-]+)?$/.test(name) ||
  ClaudeProcess.isClaudePath(name) ||
  (Interpreter.isRuntime(name) && isUntold(name, args)) ||
  ClaudeProcess.isNamedIn(args, Interpreter.isRuntime(name))

const isUntold = (name: string, args: string): boolean => args === "" || args === `(${name})`

const row =
  /^ *([0-9]+) +([0-9]+) +(-?[0-9]+) +([A-Z?][^ ]*) +([^ ]+) +([A-Z][a-z]{2} [A-Z][a-z]{2} [ 0-9]\d \d\d:\d\d:\d\d \d{4}) {5}([^]*)$/

/**
 * Reads a whole table, or says which line of it is no row. What stands behind the start of a process is not told: it may be
 * anybody's secret.
 */
export const parse = (text: string): Result.Result<ReadonlyArray<Process>, string> => {
  if (!text.endsWith("\n")) return Result.fail("ps printed nothing, or was cut off")
  const processes: Array<Process> = []
  for (const line of text.slice(0, -1).split("\n")) {
    const match = row.exec(line)
    const [, pid, parent, user, state = "", terminal = "", started = "", rest = ""] = match ?? []
    const command = commandOf(rest)
    const startedAt = Timestamp.parseCtime(started)
    if (match === null || command === undefined || startedAt === undefined) {
      return Result.fail(`a line of ps has another shape: ${JSON.stringify(line.slice(0, shownOfLine))}`)
    }
    processes.push({
      pid: Number(pid),
      parent: Number(parent),
      // The topmost users, such as nobody, are printed as below zero.
      user: Number(user) >>> 0,
      name: command.name,
      // Only its name is told, and of a few programs that is enough.
      executable: isClaude(command.name, command.args) ? "claude" : undefined,
      terminal: !/^\?+$/.test(terminal),
      innerPids: [],
      state,
      startTicks: null,
      startedAt,
      args: isUntold(command.name, command.args) ? [] : command.args.split(" ")
    })
  }
  return Result.succeed(processes)
}

/** In characters: pids, user, state, terminal and start. */
const shownOfLine = 56

/** The kernel's name of a process is padded to so many bytes, and may hold spaces itself. */
const nameBytes = 16

const encoder = new TextEncoder()

/**
 * The name and the arguments behind it. A name that was cut within a character ends in U+FFFD, whatever was left of that.
 */
const commandOf = (text: string): { readonly name: string; readonly args: string } | undefined => {
  let bytes = 0
  for (let end = 0; end < text.length;) {
    const character = String.fromCodePoint(text.codePointAt(end) ?? 0)
    bytes += character === "\uFFFD" ? 1 : encoder.encode(character).length
    end += character.length
    const isWhole = bytes === nameBytes || (character === "\uFFFD" && bytes < nameBytes && bytes + 2 >= nameBytes)
    if (isWhole && (end === text.length || text[end] === " ")) {
      return { name: text.slice(0, end).trimEnd(), args: text.slice(end + 1) }
    }
    if (bytes >= nameBytes) return undefined
  }
  return undefined
}
