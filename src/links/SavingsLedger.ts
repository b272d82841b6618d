/**
 * What compression saved, summed over a whole managed session.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { SavingsLedger, SavingsTotal, SessionLinks } from "session-liveness"
 * import { defaultRoot, layerSidecar } from "session-liveness/node"
 *
 * const segment = SessionLinks.linkedClaudeIds("4f6c1d0e").pipe(
 *   Effect.flatMap(SavingsLedger.total),
 *   Effect.map(SavingsTotal.segment),
 *   Effect.provide(layerSidecar({ root: defaultRoot() }))
 * )
 * ```
 */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Lines from "../shared/core/Lines.ts"
import * as LinkFile from "./core/LinkFile.ts"
import * as Root from "../shared/core/Root.ts"
import * as SavingsTotal from "./core/SavingsTotal.ts"
import * as StoreFault from "./core/StoreFault.ts"
import type { AppendOnlyFiles, FileFault } from "./AppendOnlyFiles.ts"
import * as FileSystemFiles from "./FileSystemFiles.ts"
import * as MemoryFiles from "./MemoryFiles.ts"
import * as FailOpen from "../shared/FailOpen.ts"
import * as Bound from "../shared/Bound.ts"

/**
 * Why the ledger gave no answer or took no row. An absent ledger is an empty one, no failure.
 */
export type Reason = Data.TaggedEnum<{
  NotRegular: {}
  /** `total` or `mentioned` could not read the ledger to its end. */
  Unreadable: {}
  /** A row was not written, or not whole; a torn tail is closed by the next row. */
  Unwritten: {}
}>

export const Reason = Data.taggedEnum<Reason>()

/**
 * An operation on the ledger at `path` that failed. It is no `Schema.TaggedError`, because hooks have no time to load
 * `Schema`.
 */
export class LedgerError extends Data.TaggedError("LedgerError")<{
  readonly reason: Reason
  readonly path: string
  readonly cause: unknown
}> {
  override get message(): string {
    return StoreFault.inLedger[this.reason._tag](this.path)
  }
}

/**
 * The savings ledger of one root.
 */
export class SavingsLedger extends Context.Service<
  SavingsLedger,
  {
    /** Sums the rows of `ids`, streaming: memory does not grow with the ledger. */
    readonly total: (ids: Iterable<string>) => Effect.Effect<SavingsTotal.SavingsTotal, LedgerError>
    /** Which of `ids` any line of the ledger may belong to. A line that does not parse counts for every id in it. */
    readonly mentioned: (ids: Iterable<string>) => Effect.Effect<ReadonlySet<string>, LedgerError>
    /** Appends one row in one write, after closing a torn tail. */
    readonly append: (row: SavingsTotal.Row) => Effect.Effect<void, LedgerError>
  }
>()("session-liveness/links/SavingsLedger") {}

/**
 * The sums over the rows of `ids`; zero when the ledger could not be read. Ends within `Bound.Links`.
 */
export const total = (ids: Iterable<string>): Effect.Effect<SavingsTotal.SavingsTotal, never, SavingsLedger> =>
  Effect.flatMap(SavingsLedger, (ledger) => ledger.total(ids)).pipe(
    FailOpen.foldsTo({ program: "SavingsLedger.total", bound: Bound.Links, safe: () => SavingsTotal.zero }),
    Effect.tap(({ rows }) => Effect.annotateCurrentSpan("rows", rows)),
    Effect.withSpan("SavingsLedger.total")
  )

/**
 * The ledger of `root` over any files.
 */
export const make = (files: AppendOnlyFiles, root: string): SavingsLedger["Service"] => {
  const path = Root.ledger(root)
  const pieces = <A>(onPiece: (piece: string) => void, end: () => A): Effect.Effect<A, LedgerError> =>
    Effect.suspend(() => {
      const text = Lines.decode(onPiece)
      return files.chunks(path, text.push).pipe(
        Effect.catch((fault) => (fault.kind === "Missing" ? Effect.void : toError(fault, Reason.Unreadable()))),
        Effect.andThen(
          // A line may be longer than a string can be.
          Effect.try({
            try: () => {
              text.end()
              return end()
            },
            catch: (cause) => new LedgerError({ reason: Reason.Unreadable(), path, cause })
          })
        )
      )
    })
  return SavingsLedger.of({
    total: (ids) =>
      Effect.suspend(() => {
        const fold = SavingsTotal.begin(ids)
        return pieces(fold.push, fold.end)
      }),
    mentioned: (ids) =>
      Effect.suspend(() => {
        const open = new Set(ids)
        const found = new Set<string>()
        const look = (text: string) => {
          const line = SavingsTotal.readLine(text)
          if (line._tag === "Row" || line._tag === "BadRow") {
            if (open.delete(line.sessionId)) found.add(line.sessionId)
          } else if (line._tag === "Unreadable") {
            for (const id of open) if (text.includes(id) && open.delete(id)) found.add(id)
          }
        }
        const lines = Lines.split(look)
        return pieces(lines.push, () => {
          look(lines.rest())
          return found
        })
      }),
    append: (row) =>
      files
        .append(path, {
          create: true,
          shows: "LastByte",
          appendix: ([lastByte]) => LinkFile.appendix(lastByte, JSON.stringify(row))
        })
        .pipe(
          Effect.asVoid,
          Effect.catch((fault) => toError(fault, Reason.Unwritten()))
        )
  })
}

const toError = (fault: FileFault, otherwise: Reason): Effect.Effect<never, LedgerError> =>
  Effect.fail(
    new LedgerError({
      reason: fault.kind === "NotRegular" ? Reason.NotRegular() : otherwise,
      path: fault.path,
      cause: fault
    })
  )

/**
 * The savings ledger of `root`, through Effect's `FileSystem`.
 */
export const layer = (options: { readonly root: string }): Layer.Layer<SavingsLedger, never, FileSystem.FileSystem> =>
  Layer.effect(
    SavingsLedger,
    Effect.map(FileSystemFiles.make, (files) => make(files, options.root))
  )

/**
 * The savings ledger of `root`, in memory. Layers of the other services see it when they are given the same `files`.
 */
export const layerMemory = (options: {
  readonly root: string
  readonly files: MemoryFiles.Files
}): Layer.Layer<SavingsLedger> => Layer.succeed(SavingsLedger, make(MemoryFiles.make(options.files), options.root))
