/**
 * Places arranged so that what lies in one of them is found at once, however many there are.
 */
import type * as Place from "./Place.ts"

/**
 * What is on a place or inside it.
 */
export type PlaceIndex<A> = (around: Place.Place) => ReadonlyArray<A>

/**
 * Arranges what has been resolved; what has not is nowhere.
 */
export const build = <A>(items: ReadonlyArray<A>, placeOf: (item: A) => Place.Place): PlaceIndex<A> => {
  const byKey = new Map<string | undefined, Array<A>>()
  for (const item of items) {
    for (const key of new Set(chainsOf(placeOf(item)).flat())) {
      const there = byKey.get(key)
      if (there === undefined) byKey.set(key, [item])
      else there.push(item)
    }
  }
  return (around) => [...new Set(chainsOf(around).flatMap((chain) => byKey.get(chain.at(-1)) ?? []))]
}

const chainsOf = (place: Place.Place) => (place._tag === "Resolved" ? place.chains : [])
