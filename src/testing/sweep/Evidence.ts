/**
 * What speaks against reclaiming, added to a world of which nothing else changes.
 */
import type * as Arbitrary from "effect/Arbitrary"
import * as Gen from "../Gen.ts"
import * as SessionArbitraries from "./SessionArbitraries.ts"
import * as WorktreeTruth from "./WorktreeTruth.ts"
import * as SweepPlaces from "./SweepPlaces.ts"
import * as SweepProcesses from "./SweepProcesses.ts"
import * as SweepTime from "./SweepTime.ts"
import type * as SweepWorld from "./SweepWorld.ts"

type World = SweepWorld.SweepWorld

/** Something that speaks against reclaiming. */
export type Evidence =
  | { readonly _tag: "Listed"; readonly record: number }
  | { readonly _tag: "Claim"; readonly path: string }
  | { readonly _tag: "Entry"; readonly id: string; readonly inEntry: SweepTime.Age }
  | { readonly _tag: "Process"; readonly worktree: number; readonly kind: SweepWorld.Use["kind"] }
  | { readonly _tag: "SignOfWork"; readonly worktree: number; readonly age: SweepTime.Age }

/** Evidence that leaves the worktrees as they are. */
export const besideWorktrees: Arbitrary.Arbitrary<Evidence> = Gen.oneOf<Evidence>(
  Gen.map(Gen.int(0, 3), (record): Evidence => ({ _tag: "Listed", record })),
  Gen.map(Gen.element(SweepPlaces.placeablePaths), (path): Evidence => ({ _tag: "Claim", path })),
  Gen.map(
    Gen.struct({
      id: Gen.element([...SessionArbitraries.claudeIds, "c9"]),
      inEntry: Gen.element<SweepTime.Age>(["overWeek", "almostDay"])
    }),
    (given): Evidence => ({ _tag: "Entry", ...given })
  ),
  Gen.map(
    Gen.struct({
      worktree: Gen.int(0, 3),
      kind: Gen.element(SweepProcesses.useKinds)
    }),
    (given): Evidence => ({ _tag: "Process", ...given })
  )
)

export const evidence: Arbitrary.Arbitrary<Evidence> = Gen.oneOf<Evidence>(
  besideWorktrees,
  besideWorktrees,
  besideWorktrees,
  Gen.map(
    Gen.struct({
      worktree: Gen.int(0, 3),
      age: Gen.element<SweepTime.Age>(["moment", "moment", "almostDay", "overDay", "almostWeek"])
    }),
    (given): Evidence => ({ _tag: "SignOfWork", ...given })
  )
)

/**
 * Whether nobody is named. Where somebody is, later work may tell that an end was nobody's accident: the machine booted
 * before it.
 */
const isNobodys = ({ sentinel }: SweepWorld.Worktree): boolean => sentinel._tag !== "Names"

const pidOfEvidence = 399

/** A process that uses nothing. */
export const newProcess: SweepWorld.Process = { ...SweepProcesses.idle, pid: pidOfEvidence }

/** The world with the evidence added, everything else unchanged. */
export const added = (world: World, evidence: Evidence): World => {
  switch (evidence._tag) {
    case "Listed": {
      const [first, ...others] = world.servers
      const name = world.records[evidence.record % Math.max(1, world.records.length)]?.tmuxName
      if (first === undefined || name === undefined || name === "") return world
      return { ...world, servers: [{ ...first, sessions: [...first.sessions, { name, panes: [] }] }, ...others] }
    }
    case "Claim":
      return {
        ...world,
        records: [
          ...world.records,
          {
            key: "m-new",
            flaw: "None",
            tmuxName: "evidence",
            created: "overWeek",
            active: "overWeek",
            workspace: evidence.path,
            claudeId: undefined
          }
        ]
      }
    case "Entry":
      return {
        ...world,
        processes: [...world.processes, { ...newProcess, looks: "Claude", started: evidence.inEntry }],
        entries: [...world.entries, { pid: pidOfEvidence, sessionId: evidence.id, start: "Ticks", state: "Whole" }]
      }
    case "Process": {
      const worktree = world.worktrees[evidence.worktree % Math.max(1, world.worktrees.length)]
      if (worktree === undefined) return world
      return {
        ...world,
        processes: [...world.processes, { ...newProcess, uses: [{ kind: evidence.kind, path: worktree.path }] }]
      }
    }
    case "SignOfWork": {
      const worktree = world.worktrees[evidence.worktree % Math.max(1, world.worktrees.length)]
      if (worktree === undefined || !isNobodys(worktree)) return world
      const { active } = worktree
      if (active === undefined || SweepTime.at(active) >= SweepTime.at(evidence.age)) return world
      const worked = { ...worktree, active: evidence.age }
      return { ...world, worktrees: world.worktrees.map((other) => (other === worktree ? worked : other)) }
    }
  }
}

/** What cannot be any more, in words. */
export const refuted = (world: World, evidence: Evidence): ReadonlyArray<string> => {
  switch (evidence._tag) {
    case "Listed": {
      const record = world.records[evidence.record % Math.max(1, world.records.length)]
      return record === undefined || record.tmuxName === "" || world.servers[0]?.socket !== "Listening"
        ? []
        : [`${record.key} is gone`]
    }
    case "Claim":
      return world.worktrees
        .filter(({ path }) => WorktreeTruth.isOnOrInside(evidence.path, path))
        .map(({ path }) => `${path} is permitted`)
    case "Entry":
      return world.registry === "NotConsulted" ? [] : [`${evidence.id} has ended`]
    case "Process": {
      const worktree = world.worktrees[evidence.worktree % Math.max(1, world.worktrees.length)]
      return worktree === undefined ? [] : [`${worktree.path} is permitted`]
    }
    case "SignOfWork": {
      const worktree = world.worktrees[evidence.worktree % Math.max(1, world.worktrees.length)]
      return worktree === undefined || !isNobodys(worktree) || evidence.age !== "moment"
        ? []
        : [`${worktree.path} is permitted`]
    }
  }
}
