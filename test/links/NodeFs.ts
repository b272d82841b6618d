/**
 * `node:fs` with some of its functions replaced, for every module of this process, until the scope closes.
 */
import { Effect, type Scope } from "effect"
import nodeFs from "node:fs"
import { syncBuiltinESMExports } from "node:module"

export const replace = (replacements: Partial<typeof nodeFs>): Effect.Effect<void, never, Scope.Scope> => {
  const originals = Object.fromEntries(Object.keys(replacements).map((name) => [name, Reflect.get(nodeFs, name)]))
  const assign = (functions: object) =>
    Effect.sync(() => {
      Object.assign(nodeFs, functions)
      syncBuiltinESMExports()
    })
  return Effect.acquireRelease(assign(replacements), () => assign(originals))
}
