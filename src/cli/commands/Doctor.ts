/**
 * What this machine can tell, and what it costs that it cannot tell the rest.
 */
import { Effect, FileSystem, References, Result } from "effect"
import { Command } from "effect/cli"
import { ChildProcessSpawner } from "effect/process"
import { Git, type LiveClaims, Observation, ProcessTable, WorkspaceClaims } from "../../internal.ts"
import * as ClaudeProcess from "../../machine/core/ClaudeProcess.ts"
import * as Mounts from "../../machine/core/Mounts.ts"
import * as MountTable from "../../machine/MountTable.ts"
import * as Platform from "../../machine/Platform.ts"
import * as ExitCode from "../ExitCode.ts"
import * as Help from "../Help.ts"
import * as Judging from "../Judging.ts"
import * as Screen from "../Screen.ts"
import * as Table from "../Table.ts"

/** One thing that the machine is asked. `cost` is what follows where it does not tell. */
interface Check {
  readonly check: string
  readonly known: boolean
  readonly detail: string
  readonly cost: string
}

const everythingStays = "every worktree stays"

export const doctor = Command.make("doctor", { json: Judging.json, claims: Judging.flags }, ({ json, claims: flags }) =>
  Judging.run(
    flags,
    Effect.gen(function* () {
      const { name } = yield* Platform.Platform
      const options = yield* Judging.claimOptions(flags)
      // What could not be told is shown below, so that it need not be warned of.
      const claims = yield* Effect.provideService(
        WorkspaceClaims.workspaceClaims(options),
        References.MinimumLogLevel,
        "None"
      )
      const checks = [
        ...(yield* Effect.all([processes, uses, fileSystem, git])),
        tmux(claims),
        yield* registry(claims),
        records(claims)
      ]
      const isWhole = checks.every(({ known }) => known)
      for (const check of checks) Screen.out(json ? Screen.json(check) : text(check))
      if (!json)
        for (const said of [isWhole ? whole : lacking(name), never(name)])
          Screen.out(`\n${Table.wrap(said, Screen.width, 0)}`)
      return isWhole ? ExitCode.done : ExitCode.refused
    })
  )
).pipe(
  Help.says({
    line: "what this machine can tell, and what it costs that it cannot",
    more: "It asks for everything that a verdict rests on. Nothing is changed. Exits with 1 where something is unknown.",
    examples: [
      ["from the host", "doctor"],
      ["in a container that all sessions live in", "doctor --here"]
    ]
  })
)

const text = ({ check, known, detail, cost }: Check): string =>
  known
    ? `${Screen.green("ok")}  ${wrapped(`${check}: ${detail}`)}`
    : `${Screen.red("no")}  ${wrapped(`${check}: ${detail}`)}\n    ${wrapped(`so ${cost}`)}`

const wrapped = (text: string): string => Table.wrap(Screen.printable(text), Screen.width, 4)

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
  ({ processes, self }) => {
    const others = processes.filter(({ user }) => user !== self.user).length
    return `${processes.length} run, ${others} of them other users'`
  }
)

const uses = checked(
  "what they use",
  everythingStays,
  Effect.flatMap(list, (listed) => ProcessTable.ProcessTable.use((table) => table.uses(listed))),
  ({ paths }) => `${Judging.count(paths.length, "path")} in use`
)

const fileSystem = checked(
  "file system",
  "every worktree on this one stays",
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
    const { name, tools } = yield* Platform.Platform
    const table = yield* MountTable.read(fs, spawner, { platform: name, tools })
    const type = yield* table.fileSystemOf(yield* fs.realPath("."))
    if (type === undefined) return yield* Effect.fail("that of this directory could not be told")
    return Mounts.isNetwork(type)
      ? yield* Effect.fail(`another host or user may use that of this directory unseen (${type})`)
      : type
  }),
  (type) => `this directory lies on ${type}`
)

const git = checked(
  "git",
  "every worktree stays",
  Git.Git.use((git) => git.repository(".")).pipe(
    Effect.map(({ worktrees }) => Judging.count(worktrees.length, "worktree")),
    Effect.catchReason("GitError", "NoRepository", () => Effect.succeed("no repository"))
  ),
  (found) => `${found} here`
)

const tmux = ({ observation, owners }: LiveClaims.LiveClaims): Check => {
  const check = "tmux"
  const cost = "every recorded session counts as live, and every worktree stays that one claims"
  if (observation._tag === "Answered") {
    const { servers, names } = observation
    const detail = `${Judging.count(servers.length, "server")}, ${Judging.count(names.length, "session")}`
    return { check, known: true, detail, cost }
  }
  const { what, settle } = Observation.explain(observation.reason)
  return {
    check,
    known: observation.reason._tag === "NotInstalled" && (owners.owners?.size ?? 0) === 0,
    detail: `${what}; ${settle}`,
    cost
  }
}

const registry = Effect.fnUntraced(function* ({ owners: { registry } }: LiveClaims.LiveClaims) {
  const listed = yield* Effect.result(list)
  const running = Result.isSuccess(listed)
    ? listed.success.processes.filter((process) => ClaudeProcess.roleOf(process) === "Session").length
    : 0
  const why = registry === undefined ? "it could not be asked" : registry.incomplete
  return {
    check: "sessions of Claude Code",
    known: why === undefined,
    detail: why ?? (running === 0 ? "none runs" : `${running} run, each in the registry`),
    cost:
      registry?.unread === undefined
        ? "no session that a worktree names can be shown to have ended by the registry alone"
        : everythingStays
  }
})

/** Whether every claim is known: from records, or because nothing speaks for a manager. */
const records = ({ claims, incomplete, notes = [] }: LiveClaims.LiveClaims): Check => ({
  check: "records of a manager",
  known: incomplete === undefined,
  detail: incomplete ?? [`${Judging.count(claims.length, "claim")} of sessions on a workspace`, ...notes].join("; "),
  cost: everythingStays
})

const whole = "Everything that a verdict rests on can be told here."

/** What to do about a look that does not succeed. */
const lacking = (platform: string): string =>
  platform === "darwin"
    ? 'A "no" that a restart of the named program does not settle is a fault of this program: please report it with the output of `session-liveness doctor --json` and of `sw_vers`. The rules for macOS were made from recorded output, and no Mac has run them yet.'
    : 'A "no" keeps worktrees that could go. One that its own words do not help to settle is a fault of this program: please report it with the output of `session-liveness doctor --json`.'

/** What no look can show, whatever the machine tells. */
const never = (platform: string): string =>
  platform === "darwin"
    ? "Never seen on macOS: what other users' processes use (sudo, su), what a virtual machine does beyond the files that its host process holds open, and access lists. What no process shows is still kept by its signs of work and by git."
    : "Never seen: what other users' processes use, unless root asks, and what other hosts do. What no process shows is still kept by its signs of work and by git."
