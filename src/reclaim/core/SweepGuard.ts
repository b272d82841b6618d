/**
 * The file that keeps two sweeps from changing the same repository at once.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as ClaudeRegistry from "../../claims/core/ClaudeRegistry.ts"
import * as Processes from "../../machine/core/Processes.ts"
import * as Timestamp from "../../shared/core/Timestamp.ts"

/**
 * The process that holds it.
 */
export interface SweepGuard {
  /** The machine that it runs on, or the boot of it; `null` where that cannot be found out. */
  readonly host: string | null
  readonly pid: number
  /** When it started: in clock ticks or, where those are not told, as `ctime` in UTC; `null` where neither is known. */
  readonly start: string | null
  /** The pid namespace that its pid belongs to; `null` where there is none, or it cannot be found out. */
  readonly pidNamespace: string | null
}

const Text = Schema.fromJsonString(
  Schema.Struct({
    host: Schema.NullOr(Schema.String),
    pid: Schema.Int,
    start: Schema.NullOr(Schema.String),
    pidNamespace: Schema.NullOr(Schema.String)
  })
)

export const print = ({ host, pid, start, pidNamespace }: SweepGuard): string =>
  `${JSON.stringify({ host, pid, start, pidNamespace })}\n`

export const parse: (text: string) => Option.Option<SweepGuard> = Schema.decodeUnknownOption(Text)

/**
 * The guard that the asking process would hold, but for the host.
 */
export const own = ({ self, processes, pidNamespace }: Processes.ProcessList): Omit<SweepGuard, "host"> => {
  const process = processes.find(({ pid }) => pid === self.pid)
  const startedAt = process?.startedAt ?? null
  return {
    pid: self.pid,
    start: process?.startTicks ?? (startedAt === null ? null : Timestamp.formatCtime(startedAt)),
    pidNamespace: pidNamespace ?? null
  }
}

/**
 * Whether its holder may run on another host, or in another pid namespace, than the one that asks. No table of processes
 * that is seen from here says anything about such a one.
 */
export const isElsewhere = (guard: SweepGuard, own: SweepGuard): boolean =>
  guard.host === null || guard.host !== own.host || guard.pidNamespace !== own.pidNamespace

/**
 * Whether its holder, which must not be elsewhere, is proven gone, so that what it left may be recovered: no such process
 * runs, and no git that it may have left at work in the repository does. The processes must have been listed after the
 * guard was read, or a holder that started in between would pass for gone.
 */
export const isAbandoned = (
  guard: Omit<SweepGuard, "host">,
  processes: ReadonlyArray<Processes.Process>,
  commonDirectory: string
): boolean =>
  ClaudeRegistry.judgeEntry({ procStart: guard.start ?? undefined }, Processes.find(processes, guard.pid))._tag ===
    "Gone" && !processes.some((process) => !Processes.isZombie(process) && isGitIn(commonDirectory, process))

/** Every git that a sweep starts names its repository outright. A table may split that at its spaces. */
const isGitIn = (commonDirectory: string, { args }: Processes.Process): boolean => {
  const line = `${args.join(" ")} `
  return [" ", "/"].some((end) => line.includes(`--git-dir=${commonDirectory}${end}`))
}
