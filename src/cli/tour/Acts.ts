/**
 * What happens to the links of a session, and to the claims when tmux does not answer.
 */
import { Effect, FileSystem } from "effect"
import {
  LiveClaims,
  ClaimState,
  LinkHistory,
  Observation,
  Root,
  SavingsLedger,
  SavingsTotal,
  SessionLinks,
  TmuxProbe,
  WorkspaceClaims
} from "../../internal.ts"
import * as Screen from "../Screen.ts"
import * as Table from "../Table.ts"
import { harbor, orchard, tmux } from "./World.ts"

const indent = 17

const say = (who: string, what: string): void => {
  Screen.out(`  ${who.padEnd(indent - 2)}${Table.wrap(Screen.printable(what), Screen.width, indent)}`)
}

const [first, second, third] = harbor.ids

/** Compression saves something while `claudeId` is the id of the moment. */
const save = Effect.fnUntraced(function* (claudeId: string, cost_saved_usd: number) {
  const ledger = yield* SavingsLedger.SavingsLedger
  const ts = new Date().toISOString()
  const tokens_saved = Math.round(cost_saved_usd * 200_000)
  yield* ledger.append({ ts, session_id: claudeId, technique: "compress", tokens_saved, cost_saved_usd, basis: "list" })
})

/** What the status line of `claudeId` shows. */
const statusLine = Effect.fnUntraced(function* (claudeId: string, why: string) {
  const linked = yield* SessionLinks.linkedClaudeIds(claudeId)
  const total = yield* SavingsLedger.total(linked.length > 0 ? linked : [claudeId])
  say(claudeId, `${SavingsTotal.segment(total) || "nothing"}  ${why}`)
})

/** The figure of a status line goes on over a restart. */
export const restarts = Effect.gen(function* () {
  yield* SessionLinks.recordLink(harbor.id, first)
  yield* save(first, 0.36)
  yield* statusLine(first, "saved so far")
  yield* SessionLinks.recordLink(harbor.id, second)
  yield* save(second, 0.21)
  yield* statusLine(second, "after /clear, under the new id: 0.36 + 0.21")
})

const visible = (text: string): string => text.replaceAll("\n", "␊").replaceAll("\u0018", "␘")

/** A write that did not finish is no link, and holds nobody up. */
const tornWrite = Effect.fnUntraced(function* (root: string) {
  const fs = yield* FileSystem.FileSystem
  const file = `${Root.sidecar(root)}/${harbor.id}`
  const linkFile = Effect.map(fs.readFileString(file), visible)
  Screen.out("\nA crash in the middle of a write, and what the next one makes of it:")
  yield* fs.writeFileString(file, third.slice(0, 4), { flag: "a" })
  say("link file", yield* linkFile)
  yield* statusLine(third, "half a line is no link, and none is guessed")
  say("history", describe(yield* SessionLinks.linkHistory))
  yield* SessionLinks.recordLink(harbor.id, third)
  say("link file", `${yield* linkFile}   ␘ cancels the fragment for good, in the write that adds the id`)
  yield* save(third, 0.15)
  yield* statusLine(third, "three ids, one session")
  say("history", describe(yield* SessionLinks.linkHistory))
})

const describe = LinkHistory.$match({
  Absent: () => "absent",
  Read: ({ links }) => `read whole, ${links.size} ids: a clean-up may build on it`,
  Unreadable: ({ reason }) => `unreadable, so that no clean-up builds on it: ${reason}`
})

/** An id in two link files is nobody's. */
const ambiguous = Effect.gen(function* () {
  Screen.out("\nTwo sessions that both list an id:")
  yield* SessionLinks.recordLink(orchard.id, orchard.ids[0])
  yield* SessionLinks.recordLink(orchard.id, third)
  yield* statusLine(third, "it counts for itself alone, and never for the other session")
})

/** A tmux that does not answer proves nothing. */
const silentTmux = Effect.fnUntraced(function* (workspace: string) {
  Screen.out("\nThe workspace of orchard, by what tmux says:")
  const state = Effect.gen(function* () {
    const claims = yield* WorkspaceClaims.workspaceClaims()
    return LiveClaims.claimState(claims, yield* WorkspaceClaims.locate(workspace))
  })
  const silent = new TmuxProbe.TmuxProbeError({ reason: Observation.Reason.TimedOut({ detail: "nothing within 3 s" }) })
  for (const [says, answer] of [
    ["lists harbor", Effect.succeed(["tm-harbor"])],
    ["lists both", Effect.succeed(["tm-harbor", "tm-orchard"])],
    ["is silent", Effect.fail(silent)]
  ] as const) {
    const seen = yield* state.pipe(Effect.provide(tmux(answer)))
    say(says, `${ClaimState.permits(seen) ? "may go" : "stays"}: ${ClaimState.explain(seen)}`)
  }
})

/** What one screen has no room for. */
export const rest = Effect.fnUntraced(function* (root: string, workspace: string) {
  yield* tornWrite(root)
  yield* ambiguous
  yield* silentTmux(workspace)
})
