/**
 * What every act of the tour stands on: a root of its own, and a way to show what the library says of it.
 */
import { Context, Effect } from "effect"
import type { PlatformError } from "effect/PlatformError"
import type { ChildProcessSpawner } from "effect/process"
import * as fs from "node:fs"
import {
  LinkHistory,
  type OwnerSentinel,
  Root,
  SavingsLedger,
  SavingsTotal,
  SessionLinks,
  type SidecarReader,
  type LinkWriter
} from "session-liveness"
import type { Services } from "session-liveness/node"
import * as Cli from "../cli.ts"

/** The root that the tour plays in, and the processes beside its own descendants that belong to it. */
export class Stage extends Context.Service<Stage, { readonly root: string; readonly pids: Set<number> }>()(
  "session-liveness/examples/Stage"
) {}

/** One act: a heading, and what happens under it. */
export interface Act {
  readonly title: string
  readonly play: Effect.Effect<
    void,
    | SavingsLedger.LedgerError
    | SidecarReader.SidecarError
    | LinkWriter.LinkWriteError
    | OwnerSentinel.OwnerSentinelError
    | PlatformError,
    Stage | Services | ChildProcessSpawner.ChildProcessSpawner
  >
}

/** A line of the tour: who acts or speaks, and what. */
export const say = (who: string, what: string): Effect.Effect<void> =>
  Effect.sync(() => Cli.out(`   ${who.padEnd(14)}${what}`))

/** The `SessionStart` hook of `claudeId` runs inside `managedId`. */
export const hook = Effect.fnUntraced(function* (managedId: string, claudeId: string) {
  const recorded = yield* SessionLinks.record(managedId, claudeId)
  yield* say(
    "hook",
    SessionLinks.Recorded.$match(recorded, {
      Written: () => `links ${claudeId} to ${managedId}`,
      AlreadyListed: () => `runs once more: ${claudeId} is linked already, and nothing is written`,
      Refused: ({ id }) => `refuses ${id}, which is no valid id`
    })
  )
})

/** Compression saves something while `claudeId` is the id of the moment. */
export const save = Effect.fnUntraced(function* (claudeId: string, costSavedUsd: number) {
  const ledger = yield* SavingsLedger.SavingsLedger
  yield* ledger.append({
    ts: "2026-03-01T20:00:00Z",
    session_id: claudeId,
    technique: "compress",
    tokens_saved: Math.round(costSavedUsd * 200_000),
    cost_saved_usd: costSavedUsd,
    basis: "list price of input tokens"
  })
  yield* say("ledger", `$${costSavedUsd.toFixed(2)} saved under ${claudeId}`)
})

/** What the status line of `claudeId` shows, and why. */
export const statusLine = Effect.fnUntraced(function* (claudeId: string, why: string) {
  const linked = yield* SessionLinks.linkedClaudeIds(claudeId)
  const total = yield* SavingsLedger.total(linked.length > 0 ? linked : [claudeId])
  yield* say("status line", `${claudeId} shows ${SavingsTotal.segment(total) || "nothing"}: ${why}`)
})

/** The bytes of a link file, with its control characters made visible. */
export const linkFile = Effect.fnUntraced(function* (managedId: string) {
  const { root } = yield* Stage
  const text = fs.readFileSync(`${Root.sidecar(root)}/${managedId}`, "utf8")
  yield* say("link file", `${managedId}: ${text.replaceAll("\n", "␊").replaceAll("\u0018", "␘")}`)
})

/** What a decision that deletes would be told. */
export const history = Effect.gen(function* () {
  const answer = yield* SessionLinks.linkHistory
  yield* say(
    "history",
    LinkHistory.$match(answer, {
      Absent: () => "absent",
      Read: ({ links }) => `read whole: ${links.size} Claude ids, so that a clean-up may build on it`,
      Unreadable: ({ reason }) => `unreadable, so no clean-up may build on it: ${reason}`
    })
  )
})
