import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { Effect, type Scope } from "effect"

/**
 * A fresh real directory, with its links resolved, removed with the scope.
 */
export const tempRoot: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "session-liveness-")))),
  (root) => Effect.sync(() => fs.rmSync(root, { recursive: true, force: true }))
)
