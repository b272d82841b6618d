/**
 * A fact that was found out, or the reason why it was not.
 */

/**
 * What cannot be found out is never taken for an answer: `Unknown` refuses wherever `Known` could permit.
 */
export type Known<A> = { readonly _tag: "Known"; readonly value: A } | Unknown

export interface Unknown {
  readonly _tag: "Unknown"
  readonly reason: string
}

export const known = <A>(value: A): Known<A> => ({ _tag: "Known", value })

export const unknown = (reason: string): Unknown => ({ _tag: "Unknown", reason })
