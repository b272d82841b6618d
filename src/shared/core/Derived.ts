/**
 * What is worked out from facts once and kept as long as they are.
 */

/**
 * `derive`, carried out once for each object of facts. Facts are readonly: one that changes after it was asked about goes
 * on giving what it gave.
 */
export const once = <Facts extends object, A>(derive: (facts: Facts) => A): ((facts: Facts) => A) => {
  const known = new WeakMap<Facts, { readonly derived: A }>()
  return (facts) => {
    const before = known.get(facts)
    if (before !== undefined) return before.derived
    const derived = derive(facts)
    known.set(facts, { derived })
    return derived
  }
}
