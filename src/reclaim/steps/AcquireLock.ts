import * as Effect from "effect/Effect"
import * as RegularFile from "../../shared/RegularFile.ts"
import * as WholeFile from "../../shared/WholeFile.ts"
import { reclaimedAt } from "../core/ReclaimStep.ts"
import * as Kept from "./Kept.ts"
import { type CarryOut, isThere, maxBytes, priorLock, worded } from "./Tools.ts"

/**
 * A lock is a file that is there whole or not at all, so that of two who lock at once only one does.
 */
export const carryOut: CarryOut<"AcquireLock"> = (tools, step) =>
  Effect.gen(function* () {
    const { fs, commonDirectory } = tools
    const locked = `${step.adminDirectory}/locked`
    const prior = `${step.adminDirectory}/${priorLock}`
    const kept = yield* Kept.refs(tools, step.name)
    if (kept.length > 0 || (yield* isThere(fs, reclaimedAt(commonDirectory, step.name)))) {
      return yield* Effect.fail(`something is kept as ${step.name} already; see \`git for-each-ref refs/reclaimed\``)
    }
    const acquire = WholeFile.create(fs, {
      path: locked,
      text: `${step.reason}\n`,
      mode: 0o644,
      workshop: step.adminDirectory
    }).pipe(
      Effect.mapError((cause) =>
        cause.reason._tag === "AlreadyExists" ? "somebody has locked it meanwhile; sweep again" : cause.message
      )
    )
    if (step.prior === undefined) yield* acquire
    else {
      yield* worded(fs.rename(locked, prior))
      const found = yield* RegularFile.read(fs, prior, maxBytes)
      const isSeen = found._tag === "File" && found.text.trim() === step.prior.trim()
      yield* (isSeen ? acquire : Effect.fail("its lock is not the one that was seen any more; sweep again")).pipe(
        Effect.tapError(() => Effect.ignore(fs.rename(prior, locked)))
      )
    }
    return []
  })
