/**
 * The other half of safe: where nothing speaks against it, the worktree may go.
 */
import type * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Gen from "../Gen.ts"
import { show } from "../Law.ts"
import * as SweepArbitraries from "./SweepArbitraries.ts"
import { law } from "./SweepStage.ts"
import { programs } from "./SweepPrograms.ts"
import type { World } from "./SweepSubject.ts"
import * as SweepGit from "./SweepGit.ts"
import * as SweepNames from "./SweepNames.ts"
import * as SweepPlaces from "./SweepPlaces.ts"
import * as SweepTime from "./SweepTime.ts"
import * as SweepWorld from "./SweepWorld.ts"

const isPast = (age: SweepTime.Age | undefined): boolean =>
  age === "overDay" || age === "almostWeek" || age === "overWeek"

const past = (age: SweepTime.Age | undefined): SweepTime.Age => (age !== undefined && isPast(age) ? age : "overDay")

/** A lock of Claude Code's is left over where its process has gone, whatever start it names. */
const isLeftOver = (lock: SweepWorld.Lock | undefined): boolean => lock?._tag === "Harness" && lock.pid >= 900

/** Whom the sentinel names has a record, and so is known to be gone. */
const leftBy = (world: World, sentinel: SweepWorld.Sentinel): SweepWorld.Sentinel => {
  const isRecorded = (id: string | undefined) => id === undefined || world.records.some(({ key }) => key === id)
  switch (sentinel._tag) {
    case "Nothing":
    case "OldMark":
      return sentinel
    case "Names":
      return isRecorded(sentinel.owner) && isRecorded(sentinel.parent) ? sentinel : { _tag: "Nothing" }
    default:
      return { _tag: "Nothing" }
  }
}

/** The world when everybody has gone home, all work has landed and nobody has touched it for a day. */
const deserted = (world: World): World => ({
  ...world,
  caller: undefined,
  store: "Read",
  records: world.records.map((record) => ({
    ...record,
    flaw: "None",
    tmuxName:
      SweepNames.names[record.tmuxName]?.listable === true && record.tmuxName.startsWith("t")
        ? record.tmuxName
        : "tm-a",
    created: past(record.created),
    active: past(record.active),
    workspace: SweepPlaces.places[record.workspace ?? ""] === undefined ? undefined : record.workspace
  })),
  linkFiles: world.linkFiles.map((file) => ({ ...file, flaw: "None" })),
  reach: "Here",
  servers: world.servers.map((server) => ({ ...server, socket: "Listening", sessions: [], uses: [] })),
  strays: world.strays.filter((stray) => stray === "Dead"),
  table: "Listed",
  uses: "Known",
  processes: world.processes.map((process) => ({
    ...process,
    looks: /^Claude(Script|Deleted|)$/.test(process.looks) ? "Shell" : process.looks,
    uses: []
  })),
  registry: world.registry === "Fails" ? "Found" : world.registry,
  entries: world.entries.filter(({ pid }) => pid >= 900),
  repositories: ["Listed", "Listed"],
  worktrees: world.worktrees.map((worktree) => ({
    ...worktree,
    ...SweepWorld.clean,
    sentinel: leftBy(world, worktree.sentinel),
    active: past(worktree.active),
    lock: isLeftOver(worktree.lock) ? worktree.lock : undefined
  }))
})

const worlds: Arbitrary.Arbitrary<World> = Gen.map(SweepArbitraries.sweepWorld, deserted)

/** What lies reclaimed, holds another worktree or is reached by a link stays for what it is. */
const isOrdinary = (world: World, worktree: SweepWorld.Worktree): boolean =>
  SweepGit.isReadable(worktree) &&
  SweepGit.inside(world, worktree).length === 0 &&
  !worktree.path.includes("/.git/reclaimed/")

export const notNeedlessly = law(
  "L13 not needlessly",
  "In a world without faults in which nobody is there, nothing is dirty or locked, no long-lived branch is checked out, and all is landed and quiet, the candidate is permitted.",
  worlds,
  Effect.fnUntraced(function* (world, stage, must) {
    const { run } = yield* stage(world)
    const plan = yield* run(programs(world, "/w/b").survey)
    for (const worktree of world.worktrees.filter((worktree) => isOrdinary(world, worktree))) {
      const verdict = plan.candidates.find(({ path }) => path === worktree.path)?.verdict
      yield* must(verdict?._tag === "Permit", () => `${worktree.path} is ${show(verdict)}`)
    }
  })
)
