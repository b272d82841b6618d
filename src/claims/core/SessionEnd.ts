/**
 * The answer to "has session X ended?".
 */
import * as Data from "effect/Data"

/**
 * `Ended` is positive evidence; `Undeterminable` says what is missing.
 */
export type SessionEnd = Data.TaggedEnum<{
  Ended: { readonly why: string }
  Live: { readonly why: string }
  Caller: {}
  Undeterminable: { readonly reason: string }
}>

const constructors = Data.taggedEnum<SessionEnd>()
export const { $is, $match } = constructors

/**
 * One thing that is known of an id. What it says of the end is only a reason to answer so, not the answer.
 */
export interface Evidence {
  readonly says: SessionEnd["_tag"]
  readonly why: string
}

/**
 * The answer that all evidence together allows: the strictest wins, and of several equally strict the first in their
 * wording, so that the order in which it was gathered changes nothing. No evidence at all is none for an end.
 */
export const conclude = (evidence: ReadonlyArray<Evidence>): SessionEnd => {
  const [first, ...others] = [...evidence].sort(
    (a, b) => strictness.indexOf(a.says) - strictness.indexOf(b.says) || (a.why < b.why ? -1 : 1)
  )
  if (first === undefined) return constructors.Undeterminable({ reason: "nothing is known of it" })
  switch (first.says) {
    case "Live":
      return constructors.Live({ why: first.why })
    case "Undeterminable":
      return constructors.Undeterminable({
        reason: [
          ...new Set([first, ...others].filter(({ says }) => says === "Undeterminable").map(({ why }) => why))
        ].join("; ")
      })
    case "Caller":
      return constructors.Caller()
    case "Ended":
      return constructors.Ended({ why: first.why })
  }
}

const strictness: ReadonlyArray<SessionEnd["_tag"]> = ["Live", "Undeterminable", "Caller", "Ended"]
