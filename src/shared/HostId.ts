/**
 * Which machine this is.
 */
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"

export interface HostId {
  /** The same at every boot; `null` where the machine has none. */
  readonly machine: string | null
  /** Another one at every boot; `null` where it cannot be found out. */
  readonly boot: string | null
}

export const read = (fs: FileSystem.FileSystem): Effect.Effect<HostId> =>
  Effect.all({
    machine: idIn(fs, "/etc/machine-id"),
    boot: idIn(fs, "/proc/sys/kernel/random/boot_id")
  })

const idIn = (fs: FileSystem.FileSystem, path: string): Effect.Effect<string | null> =>
  fs.readFileString(path).pipe(
    Effect.map((text) => /^[0-9a-f-]{32,36}$/.exec(text.trim())?.[0] ?? null),
    Effect.orElseSucceed(() => null)
  )
