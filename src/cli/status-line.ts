/**
 * `session-liveness-status-line`: what compression saved over every Claude id of this managed session. It starts after
 * every message, so that it loads as little as it can.
 */
import { fstatSync, read, writeSync } from "node:fs"
import { parseArgs } from "node:util"
import * as SavingsTotal from "../links/core/SavingsTotal.ts"
import * as StatusLine from "../node/StatusLine.ts"
import * as Root from "../shared/core/Root.ts"
import * as Text from "../shared/core/Text.ts"

const help = `session-liveness-status-line: what compression saved in a session, over its ids

Usage: session-liveness-status-line [--root DIR] [--verbose]
It reads Claude Code's JSON for a status line on stdin.

  --root DIR   where the stores lie
               (default: $TRUSTY_MPM_ROOT, else ~/.trusty-mpm)
  --verbose    say on stderr what could not be read

Prints one segment, such as 💸~$0.36, or nothing when nothing was saved. A
Claude id that is linked to no other, or to two managed sessions, counts for
itself.

Exit codes: 0, also when something could not be read; 2 for a wrong flag.

Example:
  echo '{"session_id":"c-1"}' | session-liveness-status-line --verbose`

const patience = 450

const write = (fd: 1 | 2, line: string): void => {
  try {
    writeSync(fd, `${line}\n`)
  } catch {
    // Nobody reads it.
  }
}

const say = (message: string): void => write(2, `session-liveness-status-line: ${Text.escape(message)}`)

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const flags = (): { readonly root?: string | undefined; readonly verbose?: boolean | undefined } => {
  // What reads flags takes longer to load than the links take to read.
  if (process.argv.length === 2) return {}
  try {
    const { values } = parseArgs({
      options: { root: { type: "string" }, verbose: { type: "boolean" }, help: { type: "boolean", short: "h" } }
    })
    if (values.help) {
      write(1, help)
      process.exit(0)
    }
    return values
  } catch (error) {
    say(`${reasonOf(error)} Try --help.`)
    return process.exit(2)
  }
}

const { root, verbose } = flags()

/** As `os.homedir` tells it, which is loaded only where the environment does not. */
const home = (): string => process.env["HOME"] ?? process.getBuiltinModule("node:os").homedir()

const report = (claudeId: string): void => {
  const options: StatusLine.Options = {
    root: Root.resolve({ argument: root, variable: process.env["TRUSTY_MPM_ROOT"], home: home() }),
    onFault: verbose ? say : undefined
  }
  const linked = StatusLine.linkedClaudeIds(options, claudeId)
  const segment = SavingsTotal.segment(StatusLine.total(options, linked.length > 0 ? linked : [claudeId]))
  if (segment !== "") write(1, segment)
}

/** Everything is written; to leave now spares the process the dismantling of its heap. */
const leave = (why?: string): never => {
  if (why !== undefined) say(`expected Claude Code's status-line JSON on stdin: ${why}`)
  return process.exit(0)
}

const take = (text: string): void => {
  try {
    const { session_id: id } = Object(JSON.parse(text))
    if (typeof id !== "string") return leave("it has no session_id")
    report(id)
  } catch (error) {
    return leave(reasonOf(error))
  }
  leave()
}

// A process whose stdin somebody holds open cannot leave by itself while it reads.
setTimeout(() => {
  say(`stdin said nothing whole within ${patience} ms`)
  process.kill(process.pid, "SIGTERM")
}, patience)

/** Not `process.stdin`, which takes longer to load than all the rest. */
const readOn = (pieces: ReadonlyArray<Buffer>): void => {
  const piece = Buffer.allocUnsafe(64 * 1024)
  read(0, piece, 0, piece.length, null, (error, length) => {
    if (error !== null) return leave(error.message)
    if (length === 0) return take(Buffer.concat(pieces).toString("utf8"))
    const all = [...pieces, piece.subarray(0, length)]
    const text = Buffer.concat(all).toString("utf8")
    if (isWhole(text)) take(text)
    else readOn(all)
  })
}

const isWhole = (text: string): boolean => {
  if (!text.trimEnd().endsWith("}")) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

if (fstatSync(0).isCharacterDevice()) leave("nothing was handed over")
readOn([])
