/**
 * What every program says about one root, as plain data that a child process can print.
 */
import { NodeFileSystem } from "@effect/platform-node"
import { Effect, type FileSystem, Layer, Logger } from "effect"
import {
  Bound,
  LinkWriter,
  SavingsLedger,
  type SavingsTotal,
  SessionLinks,
  SessionStore,
  SidecarReader
} from "../../src/internal.ts"
import * as Node from "../../src/node/index.ts"

export type Services =
  | SidecarReader.SidecarReader
  | LinkWriter.LinkWriter
  | SavingsLedger.SavingsLedger
  | SessionStore.SessionStore

/**
 * Sidecar and ledger over Effect's `FileSystem`, whichever is given.
 */
export const overFileSystem = (root: string): Layer.Layer<Services, never, FileSystem.FileSystem> =>
  Layer.mergeAll(
    SidecarReader.layer({ root }),
    LinkWriter.layer({ root }),
    SavingsLedger.layer({ root }),
    SessionStore.layer({ root })
  )

export const layers = {
  "node:fs": (root: string): Layer.Layer<Services> =>
    Layer.mergeAll(Node.layerSidecar({ root }), SessionStore.layer({ root }).pipe(Layer.provide(NodeFileSystem.layer))),
  FileSystem: (root: string): Layer.Layer<Services> => overFileSystem(root).pipe(Layer.provide(NodeFileSystem.layer))
}

export type LayerName = keyof typeof layers

export const layerNames: ReadonlyArray<LayerName> = ["node:fs", "FileSystem"]

/** Provides one of the layers, and keeps the log out of what is printed. */
export const on = (name: LayerName, root: string) => Effect.provide(Layer.merge(layers[name](root), Logger.layer([])))

/** The id asked about, the link file written to, and what is written. */
export const asked = "asked"
export const target = "target"
export const added = "added"

/**
 * The strict forms give the tag of their answer, or the reason of their error with its message.
 */
export interface Answers {
  readonly linked: ReadonlyArray<string>
  readonly siblings: string
  readonly history: string
  readonly total: SavingsTotal.SavingsTotal
  readonly ledger: string
  readonly store: string
  /** Why no plan may be made, or how many moves it holds. */
  readonly plan: string
  readonly recorded: boolean
  readonly record: string
  readonly appended: string
  readonly healed: ReadonlyArray<string>
}

/**
 * Asks every program in turn. A record and a ledger row are added where the root takes them.
 */
export const ask: Effect.Effect<Answers, never, Services> = Effect.gen(function* () {
  const ledger = yield* SavingsLedger.SavingsLedger
  const store = yield* SessionStore.SessionStore
  const linked = yield* SessionLinks.linkedClaudeIds(asked)
  const siblings = yield* said(SessionLinks.siblings(asked), ({ _tag }) => _tag)
  const history = yield* SessionLinks.linkHistory
  const total = yield* SavingsLedger.total([asked])
  const strictTotal = yield* said(ledger.total([asked]), () => "Read")
  const records = yield* said(store.read, () => "Read")
  const plan = yield* SessionLinks.planPrune({ now: 0 })
  const recorded = yield* SessionLinks.recordLink(target, added)
  const record = yield* said(SessionLinks.record(target, added), ({ _tag }) => _tag)
  const appended = yield* said(ledger.append(row(added)), () => "Appended")
  const healed = yield* SessionLinks.heal
  return {
    linked,
    siblings,
    history: history._tag === "Unreadable" ? `Unreadable: ${history.reason}` : history._tag,
    total,
    ledger: strictTotal,
    store: records,
    plan: plan.refused ?? `${plan.moves.length} moves`,
    recorded,
    record,
    appended,
    healed
  }
}).pipe(
  // The real clock of a child would cut off what a slow machine is still doing.
  Effect.provideService(Bound.Links, "1 minute")
)

export const row = (sessionId: string): SavingsTotal.Row => ({
  ts: "2026-01-01T00:00:00Z",
  session_id: sessionId,
  technique: "compression",
  tokens_saved: 1000,
  cost_saved_usd: 0.25,
  basis: "measured"
})

interface Reasoned {
  readonly reason: { readonly _tag: string }
  readonly message: string
}

const said = <A, E extends Reasoned, R>(
  self: Effect.Effect<A, E, R>,
  onSuccess: (answer: A) => string
): Effect.Effect<string, never, R> =>
  Effect.match(self, { onSuccess, onFailure: ({ reason, message }) => `${reason._tag}: ${message}` })
