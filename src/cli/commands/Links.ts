/**
 * The ids of one session, old link files, and torn tails.
 */
import { Clock, Duration, Effect, Option, References } from "effect"
import { Argument, Command } from "effect/cli"
import {
  LinkFile,
  LinkHistory,
  ManagedId,
  type PrunePlan,
  PrunePlan as PrunePlans,
  Refusal,
  SessionLinks,
  Siblings,
  SidecarReader
} from "../../internal.ts"
import { defaultRoot } from "../../node/index.ts"
import * as Ages from "../Ages.ts"
import * as Ask from "../Ask.ts"
import * as ExitCode from "../ExitCode.ts"
import * as Help from "../Help.ts"
import * as Judging from "../Judging.ts"
import * as Paths from "../Paths.ts"
import * as Progress from "../Progress.ts"
import * as Screen from "../Screen.ts"
import * as Table from "../Table.ts"
import { apply, yes } from "./Sweep.ts"

const id = Argument.String("id").pipe(
  Argument.withMetavar("ID"),
  Argument.withDescription("a Claude id, or a managed session")
)

const show = Command.make("show", { id, root: Judging.root, json: Judging.json }, ({ id, root, json }) =>
  Judging.run(
    { root },
    Effect.gen(function* () {
      const found = yield* find(id).pipe(
        Effect.catch((error) => Effect.sync(() => Judging.say(`the ids could not be read: ${error.message}`)))
      )
      if (found === undefined) return ExitCode.refused
      const { managedIds, claudeIds } = found
      if (json) Screen.out(Screen.json({ id, managedIds, claudeIds }))
      else if (managedIds.length === 0) Screen.out(`${Screen.name(id)} is linked to no managed session.`)
      else if (managedIds.length > 1) {
        Screen.out(`${Screen.name(id)} is linked to several: ${managedIds.map(Screen.name).join(", ")}.`)
      } else {
        Screen.out(`${Screen.name(managedIds[0] ?? "")}, ${Judging.count(claudeIds.length, "id")}, oldest first:`)
        for (const claudeId of claudeIds) Screen.out(`  ${Screen.name(claudeId)}`)
      }
      return managedIds.length === 1 ? ExitCode.done : ExitCode.refused
    })
  )
).pipe(
  Help.says({
    line: "the Claude ids of one session, by any of them or by its own id",
    examples: [
      ["by the name that a manager gave it", "links show harbor"],
      ["the session that one types in, within Claude Code", 'links show "$CLAUDE_CODE_SESSION_ID"']
    ]
  })
)

/** By a Claude id, else by a managed session. */
const find = Effect.fnUntraced(function* (id: string) {
  const siblings = yield* SessionLinks.siblings(id)
  if (siblings._tag !== "NotLinked") {
    return Siblings.$match(siblings, {
      NotLinked: () => nothing,
      Ambiguous: ({ managedIds }) => ({ managedIds, claudeIds: [] }),
      Linked: ({ managedId, claudeIds }) => ({ managedIds: [managedId], claudeIds })
    })
  }
  const managed = ManagedId.parse(id)
  if (Option.isNone(managed)) return nothing
  const reader = yield* SidecarReader.SidecarReader
  const content = yield* reader.read(managed.value).pipe(
    Effect.asSome,
    Effect.catchReason("SidecarError", "Vanished", () => Effect.succeedNone)
  )
  return Option.match(content, {
    onNone: () => nothing,
    onSome: ({ bytes }): Found => ({ managedIds: [managed.value], claudeIds: LinkFile.parse(bytes).ids })
  })
})

interface Found {
  readonly managedIds: ReadonlyArray<string>
  readonly claudeIds: ReadonlyArray<string>
}

const nothing: Found = { managedIds: [], claudeIds: [] }

const heal = Command.make("heal", { root: Judging.root, json: Judging.json }, ({ root, json }) =>
  Judging.run(
    { root },
    Effect.gen(function* () {
      const healed = yield* SessionLinks.heal
      const history = yield* SessionLinks.linkHistory.pipe(Effect.provideService(References.MinimumLogLevel, "None"))
      if (json) for (const managedId of healed) Screen.out(Screen.json({ managedId, healed: true }))
      else if (healed.length === 0) Screen.out("No link file has a torn tail that could be closed.")
      else Screen.out(`Closed the torn tail of ${healed.map(Screen.name).join(", ")}.`)
      if (!LinkHistory.$is("Unreadable")(history)) return ExitCode.done
      Judging.say(`the link history is not whole: ${history.reason}`)
      return ExitCode.refused
    })
  )
).pipe(
  Help.says({
    line: "closes the torn tails that unfinished writes left",
    more: "It only appends.",
    examples: [["every link file of the root", "links heal"]]
  })
)

const olderThan = Ages.flag("older-than", "only link files that were last written longer ago (default: 30d)")

const prune = Command.make(
  "prune",
  { apply, yes, olderThan, json: Judging.json, noManager: Judging.noManager, root: Judging.root },
  ({ apply, yes, olderThan, json, ...flags }) =>
    Judging.run(
      flags,
      Effect.gen(function* () {
        yield* Ask.mustBePossible(apply, yes)
        const now = yield* Clock.currentTimeMillis
        const plan = yield* SessionLinks.planPrune({ now, olderThan })
        yield* Progress.done
        printPlan(plan, json)
        if (plan.refused !== undefined) {
          Judging.say(`nothing can be planned: ${plan.refused}`)
          return ExitCode.refused
        }
        const { length } = plan.moves
        if (length === 0) return ExitCode.done
        const quarantine = `${defaultRoot(flags.root)}/usage/${plan.quarantine}`
        if (!apply) {
          if (!json) Screen.out(`\nNothing was changed. --apply moves them to ${Paths.shown(quarantine)}`)
          return ExitCode.wouldChange
        }
        if (!(yield* Ask.isMeant(`Move ${Judging.count(length, "link file")} to ${Paths.shown(quarantine)}?`, yes))) {
          return ExitCode.wouldChange
        }
        const outcomes = yield* SessionLinks.applyPrune(plan)
        if (json) for (const { _tag, ...rest } of outcomes) Screen.out(Screen.json({ outcome: _tag, ...rest }))
        else printDone(outcomes, quarantine)
        return outcomes.some(({ _tag }) => _tag === "Kept") ? ExitCode.refused : ExitCode.done
      }).pipe(
        Effect.provide(Progress.layerReader),
        // A refused plan and a kept file carry their reason.
        Effect.provideService(References.MinimumLogLevel, "None")
      )
    )
).pipe(
  Help.says({
    line: "which link files nobody needs any more",
    also: "--apply moves them",
    more: "Nobody needs those that no record names and no ledger row mentions. --apply moves them to a dated directory beside the sidecar; nothing is deleted.",
    examples: [
      ["which would go", "links prune"],
      ["ask, then move what was last written a year ago", "links prune --older-than 52w --apply"]
    ]
  })
)

const columns: ReadonlyArray<Table.Column> = [
  { title: "managed session", share: 0.6 },
  { title: "ids" },
  { title: "last written" }
]

const printPlan = ({ moves, olderThan, refused }: PrunePlan.PrunePlan, json: boolean): void => {
  if (json) {
    for (const move of moves) Screen.out(Screen.json(move))
  } else if (moves.length > 0) {
    const rows = moves.map(({ managedId, claudeIds, modifiedAt }) => [
      Screen.name(managedId),
      String(claudeIds.length),
      Refusal.past(modifiedAt)
    ])
    Screen.out(Table.lines(columns, rows, Screen.width).join("\n"))
  } else if (refused === undefined) {
    const age = Duration.format(Duration.millis(olderThan))
    Screen.out(`No link file that is older than ${age} lacks a record and a ledger row.`)
  }
}

const printDone = (outcomes: ReadonlyArray<PrunePlans.Outcome>, quarantine: string): void => {
  const moved = outcomes.filter(({ _tag }) => _tag === "Moved").length
  Screen.out(`\n${Judging.count(moved, "link file")} moved to ${Paths.shown(quarantine)}`)
  for (const outcome of outcomes) {
    if (outcome._tag === "Kept") Judging.say(`kept "${outcome.managedId}": ${outcome.because}`)
  }
}

export const links = Command.make("links").pipe(
  Help.says({
    line: "the ids of one session; old link files; torn tails",
    examples: [
      ["every id of a session", "links show harbor"],
      ["which link files nobody needs any more", "links prune"]
    ]
  }),
  Command.withSubcommands([{ group: "Subcommands", commands: [show, prune, heal] }])
)
