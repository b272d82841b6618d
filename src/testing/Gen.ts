/**
 * The combinators that the arbitraries here are written in, over Effect's own.
 */
import * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"

export const { array, map, flatMap, filter } = Arbitrary

export const constant = <A>(value: A): Arbitrary.Arbitrary<A> => Arbitrary.Constant<A>(value)

/** An integer in the given bounds, both included; edges come up more often. */
export const int = (minimum: number, maximum: number): Arbitrary.Arbitrary<number> =>
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum, maximum })))

/** One of the values, each as often as it stands there; shrinks to the first. */
export const element = <A>(values: ReadonlyArray<A>): Arbitrary.Arbitrary<A> =>
  map(index(values.length), (at) => values[at] as A)

/** One of the arbitraries, each as often as it stands there; shrinks to the first. */
export const oneOf = <A>(...arbitraries: ReadonlyArray<Arbitrary.Arbitrary<A>>): Arbitrary.Arbitrary<A> =>
  flatMap(index(arbitraries.length), (at) => arbitraries[at] as Arbitrary.Arbitrary<A>)

/** One value that is usual, and others, each once in so many. */
export const usually = <A>(times: number, usual: A, ...others: ReadonlyArray<A>): Arbitrary.Arbitrary<A> =>
  element([...Array.from({ length: times }, () => usual), ...others])

/** The same with arbitraries. */
export const mostly = <A>(
  times: number,
  usual: Arbitrary.Arbitrary<A>,
  ...others: ReadonlyArray<Arbitrary.Arbitrary<A>>
): Arbitrary.Arbitrary<A> => oneOf(...Array.from({ length: times }, () => usual), ...others)

export const none = constant(undefined)

/** The last of those that share a key. */
export const uniqueBy = <A>(values: ReadonlyArray<A>, key: (value: A) => unknown): ReadonlyArray<A> => [
  ...new Map(values.map((value) => [key(value), value])).values()
]

/** A plain object of the given fields. */
export const struct = <F extends Record<string, Arbitrary.Arbitrary<unknown>>>(
  fields: F
): Arbitrary.Arbitrary<{ [K in keyof F]: F[K] extends Arbitrary.Arbitrary<infer A> ? A : never }> =>
  map(Arbitrary.all(fields), (value) => ({ ...value })) as never

/** Any byte string up to that length. */
export const bytes = (maxLength: number): Arbitrary.Arbitrary<Uint8Array> =>
  map(array(int(0, 255), { maxLength }), (values) => Uint8Array.from(values))

/** A permutation, as a key to sort by; shrinks to the order that was given. */
export const order = (length: number): Arbitrary.Arbitrary<ReadonlyArray<number>> =>
  array(int(0, 1000), { minLength: length, maxLength: length })

/** The values in that order; those beyond its length come first. */
export const reordered =
  (order: ReadonlyArray<number>) =>
  <A>(values: ReadonlyArray<A>): ReadonlyArray<A> =>
    values
      .map((value, index) => ({ value, key: order[index] ?? 0 }))
      .sort((a, b) => a.key - b.key)
      .map(({ value }) => value)

/**
 * Integers are drawn more often near their edges; over a range much wider than `length` that evens out.
 */
const index = (length: number): Arbitrary.Arbitrary<number> => map(int(0, 65_535), (value) => value % length)
