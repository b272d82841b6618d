/**
 * What the `ps` of macOS prints.
 */
import { isZombie, type Process } from "./Processes.ts"
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
 * Whether a process may be a server of tmux, which gives itself no title here: it is named so, and has no terminal or was
 * told to stay in the foreground.
 */
export const mayBeTmuxServer = ({ name, terminal, state, args }: Process): boolean => {
  if (isZombie({ state })) return false
  const [first = "", ...rest] = args
  if (![name, first.slice(first.lastIndexOf("/") + 1).replace(/^-/, "")].some((each) => /^tmux$|^tmate$/.test(each))) {
    return false
  }
  const command = rest.findIndex((word) => !word.startsWith("-"))
  const options = command === -1 ? rest : rest.slice(0, command)
  return !terminal || options.some((option) => option.includes("D"))
}

/**
 * Where the executable is not told, its name and the first word of the arguments tell of Claude Code, whose executable may
 * be named after its version.
 */
const isClaude = (name: string, args: string): boolean =>
  /^(claude(\.exe)?|v?[0-9]+(\.[0-9]+)+(-[0-9A-Za-z.-]+)?)$/.test(name) || /^([^ ]*\/)?claude( |$)/.test(args)

const row =
  /^ *([0-9]+) +([0-9]+) +(-?[0-9]+) +([A-Z?][^ ]*) +([^ ]+) +([A-Z][a-z]{2} [A-Z][a-z]{2} [ 0-9]\d \d\d:\d\d:\d\d \d{4}) {5}(.*)$/

/**
 * Reads a whole table, or `undefined` when any line of it is not a row.
 */
export const parse = (text: string): ReadonlyArray<Process> | undefined => {
  if (!text.endsWith("\n")) return undefined
  const processes: Array<Process> = []
  for (const line of text.slice(0, -1).split("\n")) {
    const match = row.exec(line)
    const [, pid, parent, user, state = "", terminal = "", started = "", rest = ""] = match ?? []
    const command = commandOf(rest)
    const startedAt = Timestamp.parseCtime(started)
    if (match === null || command === undefined || startedAt === undefined) return undefined
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
      args: command.args === "" || command.args === `(${command.name})` ? [] : command.args.split(" ")
    })
  }
  return processes
}

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
