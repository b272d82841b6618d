/**
 * Which Claude ids are the same managed session as a given one.
 */
import * as Data from "effect/Data"
import type { ClaudeId } from "../../shared/core/ClaudeId.ts"
import type * as LinkFile from "./LinkFile.ts"
import type { ManagedId } from "../../shared/core/ManagedId.ts"
import * as Text from "../../shared/core/Text.ts"

/**
 * `Linked`: exactly one link file lists the id, and these are all of its ids. `Ambiguous`: several do, so that no
 * answer is right.
 */
export type Siblings = Data.TaggedEnum<{
  NotLinked: {}
  Linked: { readonly managedId: ManagedId; readonly claudeIds: ReadonlyArray<ClaudeId> }
  Ambiguous: { readonly managedIds: ReadonlyArray<ManagedId> }
}>

/** No link file lists the id. */
export const none: Siblings = { _tag: "NotLinked" }

export const { $is, $match } = /* @__PURE__ */ Data.taggedEnum<Siblings>()

/**
 * The siblings of `id` among `files`. The answer does not depend on their order.
 */
export const of = (
  id: ClaudeId,
  files: Iterable<{ readonly managedId: ManagedId; readonly file: LinkFile.LinkFile }>
): Siblings => {
  const listing = [...files].filter(({ file }) => file.ids.includes(id))
  const [only, another] = listing
  if (only === undefined) return none
  if (another !== undefined) {
    return { _tag: "Ambiguous", managedIds: listing.map(({ managedId }) => managedId).sort(Text.compare) }
  }
  return { _tag: "Linked", managedId: only.managedId, claudeIds: only.file.ids }
}
