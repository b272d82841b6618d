/**
 * Checks the law of one mutant on the library with its mistake in it. Says what the law said.
 */
import { registerHooks } from "node:module"
import * as Mutants from "./Mutants.ts"

const mutant = Mutants.all[Number(process.argv[2])]
if (mutant === undefined) throw new Error(`there is no mutant ${process.argv[2]}`)
const { law, file, find, replace } = mutant

/** What a mutant may call: the first answer that a service gave, whatever is asked of it again. */
const remembered = `
const answersOf = new WeakMap()
const remembered = (service, effect, key = "") => {
  if (!answersOf.has(service)) answersOf.set(service, new Map())
  const of = answersOf.get(service)
  if (!of.has(key)) of.set(key, Effect.runSync(Effect.cached(effect)))
  return of.get(key)
}
`

let changed = false

registerHooks({
  load: (url, context, load) => {
    const loaded = load(url, context)
    if (!url.endsWith(`/src/${file}`)) return loaded
    const source = String(loaded.source)
    if (source.split(find).length !== 2) throw new Error(`${file} does not hold once: ${find}`)
    changed = true
    return { ...loaded, source: `${source.replace(find, () => replace)}${remembered}` }
  }
})

const { Effect } = await import("effect")
const { Law, Laws } = await import("../../src/testing/index.ts")

const outcome = await Effect.runPromise(
  Laws.all.find(({ name }) => name === law)?.check(Laws.library, { runs: 4000, seed: "mutants", maxShrinks: 200 }) ??
    Effect.die(`there is no law ${law}`)
)
if (!changed) throw new Error(`${file} was not loaded`)
console.log(Law.explain(outcome))
