/**
 * The file that keeps two sweeps from changing the same repository at once.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as ClaudeRegistry from "../../claims/core/ClaudeRegistry.ts"
import * as Processes from "../../machine/core/Processes.ts"

/**
 * The process that holds it.
 */
export interface SweepGuard {
  readonly pid: number
  /** When it started, in clock ticks, where that is told. */
  readonly start: string | null
  /** The pid namespace that its pid is one of; `null` where that is not told, absent where nobody had asked. */
  readonly pidNamespace?: string | null | undefined
}

const Text = Schema.fromJsonString(
  Schema.Struct({
    pid: Schema.Int,
    start: Schema.NullOr(Schema.String),
    pidNamespace: Schema.optionalKey(Schema.NullOr(Schema.String))
  })
)

export const print = ({ pid, start, pidNamespace }: SweepGuard): string =>
  `${JSON.stringify({ pid, start, pidNamespace })}\n`

export const parse: (text: string) => Option.Option<SweepGuard> = Schema.decodeUnknownOption(Text)

/**
 * The guard that the asking process would hold.
 */
export const own = ({ self, processes, pidNamespace }: Processes.ProcessList): SweepGuard => ({
  pid: self.pid,
  start: processes.find(({ pid }) => pid === self.pid)?.startTicks ?? null,
  pidNamespace: pidNamespace ?? null
})

/**
 * Whether its holder may be in another pid namespace than the one that asks. No table of processes that is seen from here
 * says anything of such a one. A guard that names no namespace was written by a version that knew none.
 */
export const isElsewhere = (guard: SweepGuard, own: SweepGuard): boolean =>
  guard.pidNamespace !== undefined && guard.pidNamespace !== (own.pidNamespace ?? null)

/**
 * Whether its holder, which must not be elsewhere, is proven gone, so that what it left may be mended: no such process
 * runs, and no git that it may have left at work in the repository does. The processes must have been listed after the
 * guard was read, or a holder that started in between would pass for gone.
 */
export const isAbandoned = (
  guard: SweepGuard,
  processes: ReadonlyArray<Processes.Process>,
  commonDirectory: string
): boolean =>
  ClaudeRegistry.judgeEntry({ procStart: guard.start ?? undefined }, Processes.find(processes, guard.pid))._tag ===
    "Gone" && !processes.some((process) => !Processes.isZombie(process) && isGitIn(commonDirectory, process))

/** Every git that a sweep starts names its repository outright. */
const isGitIn = (commonDirectory: string, { args }: Processes.Process): boolean =>
  args.some((arg) => arg === `--git-dir=${commonDirectory}` || arg.startsWith(`--git-dir=${commonDirectory}/`))
