/**
 * Random worlds for the programs that decide what is live and what may go. They shrink to few things that are as usual.
 */
import type * as Arbitrary from "effect/Arbitrary"
import * as Gen from "../Gen.ts"
import { mostly, none, uniqueBy, usually } from "../Gen.ts"
import {
  age,
  claudeIds,
  ids,
  isClaude,
  linkFile,
  managedId,
  meetingPath,
  processes,
  record,
  servers,
  strayEntries,
  strays
} from "./SessionArbitraries.ts"
import * as SweepMac from "./SweepMac.ts"
import * as SweepPlaces from "./SweepPlaces.ts"
import * as SweepProcesses from "./SweepProcesses.ts"
import * as SweepTime from "./SweepTime.ts"
import * as SweepWorld from "./SweepWorld.ts"

const sentinel: Arbitrary.Arbitrary<SweepWorld.Sentinel> = mostly<SweepWorld.Sentinel>(
  4,
  Gen.constant({ _tag: "Nothing" }),
  Gen.element<SweepWorld.Sentinel>([
    { _tag: "OldMark" },
    { _tag: "OldMark" },
    { _tag: "OldMark" },
    { _tag: "EmptyInAdmin" },
    { _tag: "Half" },
    { _tag: "NamesNobody" },
    { _tag: "Forbidden" }
  ]),
  ...Array.from({ length: 4 }, () =>
    Gen.map(
      Gen.struct({
        who: Gen.element(["Owner", "Owner", "Parent", "Both"]),
        lies: Gen.element<"Admin" | "Worktree">(["Admin", "Worktree"]),
        owner: Gen.element(ids),
        parent: Gen.element(ids),
        agentEnded: usually(1, false, true),
        created: age
      }),
      ({ who, owner, parent, ...rest }): SweepWorld.Sentinel => ({
        _tag: "Names",
        owner: who === "Parent" ? undefined : owner,
        parent: who === "Owner" ? undefined : parent,
        ...rest
      })
    )
  )
)

const lock: Arbitrary.Arbitrary<SweepWorld.Lock | undefined> = mostly<SweepWorld.Lock | undefined>(
  8,
  none,
  Gen.constant({ _tag: "Person" }),
  Gen.map(
    Gen.struct({
      pid: Gen.element([900, 301, SweepProcesses.innerPid]),
      start: Gen.element<"Ticks" | "OtherTicks" | "None">(["Ticks", "OtherTicks", "None"])
    }),
    (harness): SweepWorld.Lock => ({ _tag: "Harness", ...harness })
  )
)

/** One linked worktree. */
export const worktree: Arbitrary.Arbitrary<SweepWorld.Worktree> = Gen.struct({
  path: meetingPath,
  repository: usually(6, 0, 1),
  sentinel,
  active: mostly<SweepTime.Age | undefined>(14, age, none, Gen.constant("ahead"), Gen.constant("moment")),
  readable: usually(30, true, false),
  obstacle: usually<SweepWorld.Obstacle | undefined>(30, undefined, ...SweepWorld.obstacles),
  head: usually<SweepWorld.Worktree["head"]>(8, "Landed", "OwnBranch", "OwnBranch", "OwnBranch", "Nowhere"),
  lock,
  owner: usually<SweepWorld.Worktree["owner"]>(24, "Ours", "Other", undefined),
  fileSystem: usually<string | undefined>(24, "ext4", "nfs4", undefined),
  ignored: usually(3, false, true)
})

const repository = usually<"Listed" | "Unlisted">(24, "Listed", "Unlisted")

const as = (world: SweepWorld.SweepWorld): SweepWorld.SweepWorld => world

/** A world in which anything may be the matter. */
const anyWorld: Arbitrary.Arbitrary<SweepWorld.SweepWorld> = Gen.map(
  Gen.struct({
    isMac: usually(3, false, true),
    clock: usually(8, 0, ...SweepTime.clocks.slice(1)),
    caller: Gen.element([undefined, undefined, "m1", "m1", "m1", "m2", "m9"]),
    dismiss: mostly<ReadonlyArray<string>>(8, Gen.constant([]), Gen.array(managedId, { maxLength: 2 })),
    /** Whether a person said that no listed session is another manager's. */
    alone: usually(40, true, false),
    store: usually<SweepWorld.SweepWorld["store"]>(40, "Read", "Missing", "Malformed", "Forbidden"),
    records: Gen.map(
      mostly(3, Gen.array(record, { minLength: 1, maxLength: 3 }), Gen.array(record, { maxLength: 4 })),
      (records) => uniqueBy(records, ({ key }) => key)
    ),
    sidecar: usually<SweepWorld.SweepWorld["sidecar"]>(8, "Listed", "Absent", "NotConsulted"),
    linkFiles: Gen.map(Gen.array(linkFile, { maxLength: 3 }), (files) => uniqueBy(files, ({ name }) => name)),
    reach: usually<SweepWorld.SweepWorld["reach"]>(40, "Here", "ForeignVantage", "SocketDirMissing"),
    servers,
    strays,
    table: usually<SweepWorld.SweepWorld["table"]>(
      40,
      "Listed",
      "NotConsulted",
      "NotConsulted",
      "NotConsulted",
      "Fails",
      "WithoutSelf",
      "WithoutSelf"
    ),
    uses: usually<SweepWorld.SweepWorld["uses"]>(24, "Known", "Fail"),
    booted: usually<SweepTime.Age | undefined>(6, "overWeek", "overDay", "almostDay", "almostDay", undefined, "ahead"),
    hosted: usually(2, true, false),
    processes,
    registry: usually<SweepWorld.SweepWorld["registry"]>(10, "Found", "NotConsulted", "NotConsulted", "Fails"),
    strayEntries,
    transcripts: Gen.map(Gen.array(Gen.element([...claudeIds, "c9"]), { maxLength: 4 }), (ids) => [...new Set(ids)]),
    repositories: Gen.map(Gen.struct({ one: repository, two: repository }), ({ one, two }) => [one, two]),
    worktrees: Gen.map(
      mostly(4, Gen.array(worktree, { minLength: 1, maxLength: 3 }), Gen.array(worktree, { maxLength: 4 })),
      (worktrees) => uniqueBy(worktrees, ({ path }) => SweepPlaces.truePath(path))
    )
  }),
  ({ isMac, alone, hosted, processes, strayEntries, ...world }) =>
    (isMac ? SweepMac.onMac : as)({
      ...world,
      dismiss: alone
        ? world.dismiss.concat(world.servers.flatMap(({ sessions }) => sessions.map(({ name }) => name)))
        : world.dismiss,
      hostedBy: hosted ? world.servers[0]?.pid : undefined,
      processes: processes.map(({ process }) => process),
      entries: uniqueBy(
        [
          ...strayEntries.map(({ pid, entry }) => ({ pid, ...entry })),
          ...processes.flatMap(({ process: { pid, looks }, registered }) =>
            isClaude(looks) && registered !== undefined ? [{ pid, ...registered }] : []
          )
        ],
        ({ pid }) => pid
      )
    })
)

/** What may be the matter where all else is as it should be. */
const aspects = ["Claims", "Tmux", "Owners", "Uses", "Git"] as const

/** How who is named ended matters only where neither merge nor time has settled the work. */
const unsettled = (
  { active, head, sentinel }: SweepWorld.Worktree,
  caller: string | undefined
): Pick<SweepWorld.Worktree, "active" | "head" | "sentinel"> => ({
  active: active === "overDay" || active === "overWeek" ? active : "almostWeek",
  head: active === "overMonth" ? head : "OwnBranch",
  // Only the caller's own agents may have ended before it.
  sentinel:
    sentinel._tag === "Names" && sentinel.parent !== undefined && sentinel.agentEnded && caller !== undefined
      ? { ...sentinel, parent: caller }
      : sentinel
})

/** The world with all set right but one aspect of it. */
const settled = (world: SweepWorld.SweepWorld, aspect: (typeof aspects)[number]): SweepWorld.SweepWorld => ({
  ...world,
  clock: 0,
  store: "Read",
  ...(aspect === "Tmux" ? {} : ({ reach: "Here", strays: [] } as const)),
  table: "Listed",
  uses: "Known",
  booted: aspect === "Owners" ? world.booted : "overWeek",
  repositories: ["Listed", "Listed"],
  records:
    aspect === "Claims" || aspect === "Tmux"
      ? world.records
      : aspect === "Owners"
        ? world.records.map((record) => ({ ...record, flaw: "None", workspace: undefined }))
        : [],
  servers: world.servers.map((server) => ({
    ...server,
    socket: aspect === "Tmux" ? server.socket : "Listening",
    uses: aspect === "Uses" || aspect === "Tmux" ? server.uses : []
  })),
  processes: world.processes.map((process) => ({ ...process, uses: aspect === "Uses" ? process.uses : [] })),
  worktrees: world.worktrees.map((worktree) => ({
    ...worktree,
    ...(aspect === "Git" ? {} : SweepWorld.clean),
    ...(aspect === "Owners" ? unsettled(worktree, world.caller) : { sentinel: { _tag: "Nothing" } })
  }))
})

/** A world in which little keeps the worktrees from going. */
export const settledWorld: Arbitrary.Arbitrary<SweepWorld.SweepWorld> = Gen.map(
  Gen.struct({ world: anyWorld, aspect: Gen.element(aspects) }),
  ({ world, aspect }) => settled(world, aspect)
)

/** A whole world, in every third of which little keeps the worktrees from going. */
export const sweepWorld: Arbitrary.Arbitrary<SweepWorld.SweepWorld> = mostly(2, anyWorld, settledWorld)
