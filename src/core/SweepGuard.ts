/**
 * The file that keeps two sweeps from changing the same repository at once.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as ClaudeRegistry from "./ClaudeRegistry.ts"
import * as Processes from "./Processes.ts"

/**
 * The process that holds it.
 */
export interface SweepGuard {
  readonly pid: number
  /** When it started, in clock ticks, where that is told. */
  readonly start: string | null
}

const Text = Schema.fromJsonString(Schema.Struct({ pid: Schema.Int, start: Schema.NullOr(Schema.String) }))

export const print = ({ pid, start }: SweepGuard): string => `${JSON.stringify({ pid, start })}\n`

export const parse: (text: string) => Option.Option<SweepGuard> = Schema.decodeUnknownOption(Text)

/**
 * The guard that the asking process would hold.
 */
export const own = ({ self, processes }: Processes.ProcessList): SweepGuard => ({
  pid: self.pid,
  start: processes.find(({ pid }) => pid === self.pid)?.startTicks ?? null
})

/**
 * Whether its holder is proven gone, so that what it left may be mended: no such process runs, and no git that it may have
 * left at work in the repository does. The processes must have been listed after the guard was read, or a holder that
 * started in between would pass for gone.
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
