import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/**
 * When we have put a worktree back: somebody wanted it, which is a sign of work.
 */
export class Restorations extends Context.Service<
  Restorations,
  {
    /**
     * When the worktree at a path of the repository with that common git directory was last put back, in milliseconds
     * since the epoch; `undefined`: never. Fails with the reason where that cannot be found out.
     */
    readonly restoredAt: (worktree: {
      readonly commonDirectory: string
      readonly path: string
    }) => Effect.Effect<number | undefined, Error>
  }
>()("session-liveness/verdict/Restorations") {}

/**
 * Nothing was ever put back.
 */
export const layerNone: Layer.Layer<Restorations> = Layer.succeed(Restorations, {
  restoredAt: () => Effect.undefined
})
