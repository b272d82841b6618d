/**
 * On which platform this process runs.
 */
import * as Context from "effect/Context"
import * as MacTools from "./MacTools.ts"

export interface Platform {
  /** As Node names it: `linux`, `darwin`, … */
  readonly name: string
  /** The programs of macOS. */
  readonly tools: MacTools.MacTools
}

/**
 * That of this process, unless set. What can set it are programs, never a variable or a flag: from elsewhere a machine looks
 * empty.
 */
export const Platform: Context.Reference<Platform> = Context.Reference<Platform>("session-liveness/machine/Platform", {
  defaultValue: () => ({ name: process.platform, tools: MacTools.standard })
})
