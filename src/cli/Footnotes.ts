/**
 * What leaves several worktrees undecided for one and the same reason: it is said once, below their table.
 */
import type { Verdict } from "../internal.ts"
import * as Advice from "./Advice.ts"
import * as Screen from "./Screen.ts"
import * as Table from "./Table.ts"

type Refusal = Extract<Verdict.Verdict, { readonly _tag: "Refuse" }>

export interface Footnote {
  readonly mark: string
  /** The first refusal that has this reason. */
  readonly first: Refusal
}

/** By gate and reason, where more than one refusal has them. */
export type Footnotes = ReadonlyMap<string, Footnote>

const key = ({ gate, reason }: Refusal): string => `${gate}: ${reason}`

export const of = (refusals: ReadonlyArray<Refusal>): Footnotes => {
  const shared = [...Map.groupBy(refusals, key)].filter(([, alike]) => alike.length > 1)
  return new Map(shared.flatMap(([reason, [first]], at) => (first ? [[reason, { mark: `[${at + 1}]`, first }]] : [])))
}

/** What stands in the row of a refusal whose reason is said below, with the advice that is its own. */
export const brief = (footnotes: Footnotes, refusal: Refusal): string | undefined => {
  const note = footnotes.get(key(refusal))
  if (note === undefined) return undefined
  const isSaid = refusal.advice === note.first.advice || Advice.isExplain(refusal.advice ?? "")
  return `${refusal.gate}: unknown ${note.mark}${isSaid ? "" : Advice.after(refusal.advice)}`
}

export const lines = (footnotes: Footnotes): ReadonlyArray<string> =>
  [...footnotes].map(([reason, { mark, first }]) => {
    const text = Screen.printable(`${mark} ${reason}${Advice.after(first.advice)}`)
    return Table.wrap(text, Screen.width, mark.length + 1)
  })
