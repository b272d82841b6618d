/**
 * What a host tells its fleet, and the tables that this needs.
 */
import { Duration, Effect, Schedule } from "effect"
import { Argument, Command } from "effect/cli"
import * as os from "node:os"
import { Reclaim, type ReclaimPlan } from "../../internal.ts"
import { Heartbeat, migrate } from "../../sql/index.ts"
import * as FleetError from "../../sql/FleetError.ts"
import * as Ages from "../Ages.ts"
import * as Database from "../Database.ts"
import * as ExitCode from "../ExitCode.ts"
import * as Help from "../Help.ts"
import * as Judging from "../Judging.ts"
import * as Paths from "../Paths.ts"
import * as Screen from "../Screen.ts"

const surveyed = Paths.argument("repo", "repositories to survey, so that the fleet knows what is reclaimable").pipe(
  Argument.variadic()
)

const host = Judging.optional(
  "host",
  "NAME",
  "what this host is called there; no other may have the name (default: the host name)"
)

const every = Ages.flag("every", "go on, with a heartbeat each time so much has passed, at most 30s, until Ctrl-C")

const role = Judging.optional(
  "role",
  "ROLE",
  "grant this role what the hosts need: to insert, never to change or delete a link"
)

export const beat = Command.make(
  "beat",
  { repositories: surveyed, database: Database.flag, host, every, ...Judging.flags },
  ({ repositories, database, host = os.hostname(), every, ...flags }) =>
    Judging.run(
      flags,
      Effect.gen(function* () {
        if (every !== undefined && !(Duration.toSeconds(every) >= 1 && Duration.toSeconds(every) <= 30)) {
          return yield* ExitCode.wrong("--every takes 1s to 30s, because a heartbeat counts for 60 seconds")
        }
        const options = yield* Judging.claimOptions(flags)
        const survey = surveyOf({ ...options, repositories: repositories.map(Paths.absolute) })
        const write = (surveyed: Surveyed) => Heartbeat.beat({ host, ...options, ...surveyed })
        if (every === undefined) {
          const written = yield* write(repositories.length === 0 ? {} : yield* survey)
          if (written) Screen.out(`The heartbeat of ${Screen.name(host)} is written.`)
          else if (!Judging.warned())
            Judging.say(`a newer heartbeat of ${Screen.name(host)} is there; is the name another host's?`)
          return written ? ExitCode.done : ExitCode.refused
        }
        let latest: Surveyed = {}
        const surveying = Effect.map(survey, (surveyed) => {
          latest = surveyed
        }).pipe(Effect.repeat(Schedule.spaced("10 minutes")))
        if (repositories.length > 0) yield* Effect.forkScoped(surveying)
        yield* Effect.repeat(
          Effect.suspend(() => write(latest)),
          Schedule.spaced(every)
        )
        return ExitCode.done
      }).pipe(Effect.scoped, Effect.provide(Database.connect(database)))
    )
).pipe(
  Help.says({
    line: "tells the fleet of this host's sessions and worktrees",
    also: "--every",
    more: "It tells of each session whether it is live or gone, and of the repositories that are named what is reclaimable, and how large. A heartbeat counts for 60 seconds. With --every the survey is made anew every ten minutes, beside the heartbeats.",
    examples: [
      ["once, with the repository around the working directory", "fleet beat ."],
      ["until Ctrl-C", "fleet beat . --every 20s"]
    ]
  })
)

export const migration = Command.make("migrate", { database: Database.flag, role }, ({ database, role }) =>
  Judging.logged(
    Effect.gen(function* () {
      yield* migrate({ role }).pipe(Effect.catchTag("SqlError", (error) => Effect.fail(FleetError.of(error))))
      Screen.out("The tables of the fleet are there.")
    })
  ).pipe(Effect.provide(Database.connect(database)))
).pipe(
  Help.says({
    line: "makes the tables in the database",
    also: "--role",
    more: "It makes them, or what they lack, as their owner. Made again it changes nothing.",
    examples: [["the fleet of $DATABASE_URL", "fleet migrate"]]
  })
)

interface Surveyed {
  readonly plan?: ReclaimPlan.Plan
  readonly sizes?: Reclaim.Sizes
}

/** What may go, and how large it is. */
const surveyOf = (options: Parameters<typeof Reclaim.survey>[0]) =>
  Effect.gen(function* () {
    const plan = yield* Reclaim.survey(options)
    const candidates = plan.candidates.filter(({ verdict }) => verdict._tag === "Permit")
    return { plan: { ...plan, candidates }, sizes: yield* Reclaim.measure({ trees: candidates }) } satisfies Surveyed
  })
