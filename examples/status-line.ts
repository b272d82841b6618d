#!/usr/bin/env node
/**
 * A Claude Code status line: what compression saved over every Claude id of this managed session.
 */
import { fstatSync, readFileSync } from "node:fs"
import { SavingsTotal } from "session-liveness"
import { defaultRoot, StatusLine } from "session-liveness/node"
import * as Cli from "./cli.ts"

const help = `status-line: prints what compression saved in this managed session, over all its Claude ids

Usage: status-line [--root DIR] [--json] [--verbose]   (Claude Code's status-line JSON on stdin)

  --root DIR   where the stores lie (default: $TRUSTY_MPM_ROOT, else ~/.trusty-mpm)
  --json       print the sums and the ids they were taken over
  --verbose    say on stderr what could not be read
  -h, --help   print this

Prints one segment, such as 💸~$0.36, or nothing when nothing was saved. A Claude id that is linked to no
other, or to two managed sessions, counts for itself alone.

Exit codes: 0, also when something could not be read; 2 for a wrong flag.`

const { root, json, verbose } = Cli.flags(help, {
  ...Cli.root,
  json: { type: "boolean" },
  verbose: { type: "boolean" }
})

const report = (claudeId: string): void => {
  const options: StatusLine.Options = {
    root: defaultRoot(root),
    onFault: verbose ? (message) => Cli.err(`status-line: ${message}`) : undefined
  }
  const linked = StatusLine.linkedClaudeIds(options, claudeId)
  const claudeIds = linked.length > 0 ? linked : [claudeId]
  const total = StatusLine.total(options, claudeIds)
  const segment = SavingsTotal.segment(total)
  if (json) Cli.out(Cli.json({ segment, ...total, claudeIds }))
  else if (segment !== "") Cli.out(segment)
}

/** Synchronous, because `process.stdin` costs more than the whole fold. */
const readSessionId = (): string => {
  if (fstatSync(0).isCharacterDevice()) throw new Error("nothing was handed over")
  const status: unknown = JSON.parse(readFileSync(0, "utf8"))
  if (typeof status !== "object" || status === null || !("session_id" in status)) throw new Error("no session_id in it")
  if (typeof status.session_id !== "string") throw new Error("its session_id is no text")
  return status.session_id
}

try {
  report(readSessionId())
} catch (error) {
  Cli.err(`status-line: expected Claude Code's status-line JSON on stdin: ${Cli.reasonOf(error)}`)
}
// Everything is written; to leave now spares the process the dismantling of its heap.
process.exit()
