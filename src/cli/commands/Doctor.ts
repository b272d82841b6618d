/**
 * What this machine can tell, and what it costs that it cannot tell the rest.
 */
import { Effect, FileSystem, References, Result } from "effect"
import { Command } from "effect/cli"
import { ChildProcessSpawner } from "effect/process"
import { ClaudeSessions, Observation, ProcessTable, WorkspaceClaims } from "../../internal.ts"
import * as Mounts from "../../machine/core/Mounts.ts"
import * as MountTable from "../../machine/MountTable.ts"
import * as ExitCode from "../ExitCode.ts"
import * as Judging from "../Judging.ts"
import * as Screen from "../Screen.ts"

/** One thing that the machine is asked. `cost` is what follows where it does not tell. */
interface Check {
  readonly check: string
  readonly known: boolean
  readonly detail: string
  readonly cost: string
}

const everythingStays = "no worktree can be reclaimed"

export const doctor = Command.make("doctor", { json: Judging.json, claims: Judging.flags }, ({ json, claims }) =>
  Judging.run(
    claims,
    Effect.gen(function* () {
      const checks = yield* Effect.all([processes, uses, mounts, tmux, registry, records(claims)])
      for (const check of checks) Screen.out(json ? Screen.json(check) : text(check))
      if (!json) Screen.out(`\n${never(process.platform)}`)
      return checks.every(({ known }) => known) ? ExitCode.done : ExitCode.refused
    })
  )
).pipe(
  Command.withDescription(
    "What this machine can tell of sessions and worktrees, and what it costs that it cannot tell the rest. Changes nothing. Exits with 1 where something is not told."
  ),
  Command.withShortDescription("what this machine can tell, and what it costs that it cannot")
)

const text = ({ check, known, detail, cost }: Check): string =>
  known
    ? `${Screen.green("ok")}  ${check}: ${Screen.printable(detail)}`
    : `${Screen.red("no")}  ${check}: ${Screen.printable(detail)}\n    so ${cost}`

/** Asks, and says what was told or why nothing was. */
const checked = <A, E, R>(
  check: string,
  cost: string,
  asked: Effect.Effect<A, E, R>,
  detail: (answer: A) => string
): Effect.Effect<Check, never, R> =>
  Effect.map(Effect.result(asked), (answer) =>
    Result.isSuccess(answer)
      ? { check, known: true, detail: detail(answer.success), cost }
      : { check, known: false, detail: Screen.reasonOf(answer.failure), cost }
  )

const list = Effect.gen(function* () {
  const snapshot = yield* ProcessTable.ProcessTable.use((table) => table.snapshot)
  return snapshot._tag === "Listed" ? snapshot : yield* Effect.fail("no process table is consulted")
})

const processes = checked(
  "processes",
  `every session counts as live, and ${everythingStays}`,
  list,
  (listed) => `${listed.processes.length} processes listed`
)

const uses = checked(
  "what they use",
  everythingStays,
  Effect.flatMap(list, (listed) => ProcessTable.ProcessTable.use((table) => table.uses(listed))),
  ({ paths }) => `${Judging.count(paths.length, "path")} in use`
)

const mounts = checked(
  "file systems",
  "no worktree on this one can be reclaimed",
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
    const table = yield* MountTable.read(fs, spawner, { platform: process.platform })
    const type = yield* table.fileSystemOf(yield* fs.realPath("."))
    if (type === undefined) return yield* Effect.fail("that of this directory could not be told")
    return Mounts.isNetwork(type) ? yield* Effect.fail(`this directory lies on ${type}`) : type
  }),
  (type) => `this directory lies on ${type}`
)

/** The reason is told below, so that it need not be warned of. */
const observed = Effect.provideService(WorkspaceClaims.observe, References.MinimumLogLevel, "None")

const tmux = Effect.map(observed, (observation): Check => {
  const check = "tmux"
  const cost = "every session counts as live, and no worktree that one claims can be reclaimed"
  if (observation._tag === "Answered") {
    const detail = `${Judging.count(observation.servers.length, "server")}, ${Judging.count(observation.names.length, "session")}`
    return { check, known: true, detail, cost }
  }
  const { what, settle } = Observation.explain(observation.reason)
  return { check, known: false, detail: `${what}; ${settle}`, cost }
})

const registry = checked(
  "sessions of Claude Code",
  "no session can be shown to have ended",
  Effect.flatMap(list, (listed) =>
    ClaudeSessions.ClaudeSessions.use((sessions) => sessions.snapshot(listed.processes))
  ),
  (found) =>
    found._tag === "Found"
      ? `${Judging.count(found.entries.length, "entry").replace("entrys", "entries")} read`
      : "not consulted"
)

/** Whether every claim is known: from records, or because nothing speaks for a manager. */
const records = (flags: Judging.Flags) =>
  checked(
    "records of a manager",
    everythingStays,
    Effect.gen(function* () {
      const options = yield* Judging.claimOptions(flags)
      const {
        claims,
        incomplete,
        notes = []
      } = yield* WorkspaceClaims.workspaceClaims(options).pipe(
        Effect.provideService(References.MinimumLogLevel, "None")
      )
      if (incomplete !== undefined) return yield* Effect.fail(incomplete)
      return [`${Judging.count(claims.length, "claim")} of sessions on a workspace`, ...notes].join("; ")
    }),
    (detail) => detail
  )

/** What no look can show, whatever the machine tells. */
const never = (platform: string): string =>
  platform === "darwin"
    ? 'Never seen on macOS: processes of other users (sudo, su), what a virtual machine does beyond the files that its host process holds open, and access lists. No Mac has run this yet: please report every "no" above, with the output of --json.'
    : "Never seen: what other users' processes use, unless root asks, and what other hosts do."
