/**
 * What the `ps` of macOS prints.
 */
import type { Process } from "./Processes.ts"
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
      executable: undefined,
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
