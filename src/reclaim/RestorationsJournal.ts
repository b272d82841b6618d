/**
 * Restorations as the journal tells them.
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import { Restorations } from "../verdict/Restorations.ts"
import * as JournalEntry from "./core/JournalEntry.ts"
import * as OwnDirectory from "./OwnDirectory.ts"
import { ReclaimJournal } from "./ReclaimJournal.ts"

export const layer: Layer.Layer<Restorations, never, FileSystem.FileSystem | ReclaimJournal> = Layer.effect(
  Restorations,
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const journal = yield* ReclaimJournal
    return Restorations.of({
      restoredAt: Effect.fnUntraced(function* ({ commonDirectory, path }) {
        const repository = yield* OwnDirectory.identify(fs, commonDirectory)
        if (repository === undefined) return undefined
        const { restorations } = yield* journal.read(repository)
        if (restorations.length === 0) return undefined
        const tree = yield* OwnDirectory.identify(fs, path)
        return restorations.find((restoration) => JournalEntry.isSame(restoration.tree, tree))?.at
      })
    })
  })
)
