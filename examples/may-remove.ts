#!/usr/bin/env node
/**
 * What the claims alone say of the removal of directories.
 */
import { Effect } from "effect"
import * as fs from "node:fs"
import { ClaimState, LiveClaims, Text, WorkspaceClaims } from "session-liveness"
import * as Cli from "./cli.ts"
import * as Judging from "./Judging.ts"

const help = `may-remove: says of each path whether a session's claim stands against its removal

Usage: node examples/may-remove.ts PATH… [--json] [--caller ID] [--dismiss ID] [--here] [--socket NAME]
                                   [--no-manager] [--root DIR]

  --json          print one line of JSON for each path
${Judging.help}
${Judging.noManagerHelp}

This is the claim gate alone. That no claim stands against a removal is no leave to remove: owners, quiet,
processes and git are not looked at. \`node examples/explain.ts PATH\` gives the whole verdict on a worktree.

Exit codes: 0 the claim gate permits every path; 1 it refuses at least one; 2 wrong usage; 130 interrupted.`

const { values: flags, positionals } = Cli.flagsAndPaths(help, {
  ...Judging.options,
  ...Judging.noManager,
  json: { type: "boolean" }
})
const { json = false } = flags

if (positionals.length === 0) Cli.fail("Name the paths to be judged.", 2)
const empty = positionals.indexOf("")
if (empty !== -1) Cli.fail(`Path ${empty + 1} is empty.`, 2)

const mayRemove = Effect.gen(function* () {
  const gathered = yield* Judging.gather(flags)
  const judged = yield* Effect.forEach(positionals.map(Judging.absolute), (path) =>
    Effect.map(WorkspaceClaims.locate(path), (place) => {
      const state = LiveClaims.claimState(gathered.claims, place)
      return {
        path,
        permits: ClaimState.permits(state),
        state: state._tag,
        claimants: ClaimState.sessions(state),
        reason: ClaimState.explain(state)
      }
    })
  )
  if (json) for (const answer of judged) Cli.out(Cli.json(answer))
  else print(gathered, judged)
  return judged.every(({ permits }) => permits) ? 0 : 1
})

interface Answer {
  readonly path: string
  readonly permits: boolean
  readonly state: ClaimState.ClaimState["_tag"]
  readonly claimants: ReadonlyArray<string>
  readonly reason: string
}

const print = (gathered: Judging.Gathered, judged: ReadonlyArray<Answer>): void => {
  Cli.out(Judging.observationText(gathered))
  const { dismissed } = gathered.claims
  if (dismissed.length > 0) Cli.out(`Not counted, because you dismissed it: ${dismissed.map(Text.escape).join(", ")}.`)
  for (const { path, permits, state, claimants, reason } of judged) {
    Cli.out(`\n${permits ? "✓" : "✗"} ${Text.escape(path)}${fs.existsSync(path) ? "" : " (nothing is there)"}`)
    Cli.out(`  ${permits ? "the claim gate permits it" : "the claim gate refuses it"}: ${state}`)
    if (claimants.length > 0) Cli.out(`  claimed by ${claimants.map(Text.escape).join(", ")}`)
    Cli.out(`  ${Cli.printable(reason)}`)
  }
  Cli.out("\nThis is the claim gate alone; `node examples/explain.ts PATH` gives the whole verdict on a worktree.")
}

Judging.run("may-remove", flags, mayRemove)
