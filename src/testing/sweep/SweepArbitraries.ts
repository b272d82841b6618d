/**
 * Random worlds for the programs that decide what is live and what may go. They shrink to few things that are as usual.
 */
import type * as Arbitrary from "effect/Arbitrary"
import type * as FakeTmux from "../FakeTmux.ts"
import * as Gen from "../Gen.ts"
import * as SweepWorld from "./SweepWorld.ts"

/** The ids of managed sessions; the last is nobody's. */
export const managedIds: ReadonlyArray<string> = ["m1", "m2", "m3", "m10"]

/** Claude ids. */
export const claudeIds: ReadonlyArray<string> = ["c1", "c2", "c3", "c10"]

/** Every id that is asked for, some of which nobody knows. */
export const ids: ReadonlyArray<string> = [...managedIds, "m9", ...claudeIds, "c9"]

/** One value that is usual, and others, each once in so many. */
const usually = <A>(times: number, usual: A, ...others: ReadonlyArray<A>): Arbitrary.Arbitrary<A> =>
  Gen.element([...Array.from({ length: times }, () => usual), ...others])

/** The same with arbitraries. */
const mostly = <A>(
  times: number,
  usual: Arbitrary.Arbitrary<A>,
  ...others: ReadonlyArray<Arbitrary.Arbitrary<A>>
): Arbitrary.Arbitrary<A> => Gen.oneOf(...Array.from({ length: times }, () => usual), ...others)

const none = Gen.constant(undefined)

const uniqueBy = <A>(values: ReadonlyArray<A>, key: (value: A) => unknown): ReadonlyArray<A> => [
  ...new Map(values.map((value) => [key(value), value])).values()
]

const managedId = Gen.element(managedIds)
const claudeId = Gen.element([...claudeIds, "c1", "c1", "c2"])

const age: Arbitrary.Arbitrary<SweepWorld.Age> = Gen.element([
  "overWeek",
  "overWeek",
  "overDay",
  "overDay",
  "overDay",
  "almostWeek",
  "almostDay"
])

/** When a record was made or active: often too lately, seldom in the future. */
const sign: Arbitrary.Arbitrary<SweepWorld.Age | undefined> = mostly<SweepWorld.Age | undefined>(
  9,
  age,
  none,
  none,
  Gen.element(["moment", "moment", "ahead"])
)

const usualName = Gen.element(["tm-a", "tm-b", "tm-ab", "tmpm-c_1", "trusty-mpm-d", "tm-a", "tm-b"])

/** Where worktrees and workspaces meet. */
const meetingPath = Gen.element(["/w/a", "/w/b", "/w/a/in", ...SweepWorld.worktreePaths])

const workspace: Arbitrary.Arbitrary<string | undefined> = mostly<string | undefined>(
  14,
  meetingPath,
  ...Array.from({ length: 6 }, () => Gen.element(SweepWorld.placeablePaths)),
  none,
  none,
  none,
  Gen.element(SweepWorld.unplaceablePaths),
  Gen.element(SweepWorld.unplaceablePaths)
)

/** One stored record. */
export const record: Arbitrary.Arbitrary<SweepWorld.SessionRecord> = Gen.struct({
  key: managedId,
  flaw: usually<SweepWorld.SessionRecord["flaw"]>(
    60,
    "None",
    "WrongKey",
    "BadName",
    "BadName",
    "BadWorkspace",
    "NoObject"
  ),
  tmuxName: mostly(7, usualName, Gen.element(Object.keys(SweepWorld.names))),
  created: sign,
  active: sign,
  workspace,
  claudeId: mostly<string | undefined>(3, claudeId, none)
})

const linkFile: Arbitrary.Arbitrary<SweepWorld.LinkFile> = Gen.struct({
  name: mostly(6, managedId, Gen.constant("m9")),
  ids: Gen.map(Gen.array(claudeId, { maxLength: 3 }), (ids) => [...new Set(ids)]),
  flaw: usually<SweepWorld.LinkFile["flaw"]>(60, "None", "Torn", "Damaged", "Forbidden")
})

const usePath = mostly(
  8,
  Gen.element([
    "/x",
    "/w/A",
    "/w/r/.claude/worktrees/x",
    "/w/b",
    "/w/a/in",
    "/w/ab",
    "/l/b/deep",
    "/l/w/a",
    "/w/a/file/x"
  ]),
  Gen.element(SweepWorld.placeablePaths),
  Gen.element(["/shut/x", "/w/a/file/x", "/l/loop"])
)

const uses: Arbitrary.Arbitrary<ReadonlyArray<SweepWorld.Use>> = mostly<ReadonlyArray<SweepWorld.Use>>(
  4,
  Gen.constant([]),
  Gen.array(
    Gen.struct({
      kind: Gen.element<SweepWorld.Use["kind"]>([
        "working directory",
        "root",
        "executable",
        "open file",
        "command line",
        "mount"
      ]),
      path: usePath
    }),
    { minLength: 1, maxLength: 2 }
  )
)

const server = Gen.struct({
  socket: usually<SweepWorld.Server["socket"]>(28, "Listening", "Deleted", "Deleted", "Stopped"),
  sessions: Gen.array(
    Gen.struct({
      name: mostly(
        5,
        usualName,
        Gen.constant("work"),
        Gen.element(Object.keys(SweepWorld.padded)),
        Gen.element(Object.keys(SweepWorld.names).filter((name) => name !== "" && !/[.#é]/.test(name)))
      ),
      panes: Gen.array(Gen.element([SweepWorld.self, SweepWorld.self, 301, 302, 999]), { maxLength: 2 })
    }),
    { maxLength: 2 }
  ),
  shows: Gen.element<SweepWorld.Server["shows"]>(["Title", "CutTitle", "Executable", "Argument"]),
  whose: usually<SweepWorld.Server["whose"]>(8, "Ours", "Other", "Below"),
  started: usually<SweepWorld.Age>(6, "overMonth", "overDay", "moment"),
  uses
})

const servers: Arbitrary.Arbitrary<ReadonlyArray<SweepWorld.Server>> = Gen.map(
  mostly(5, Gen.array(server, { minLength: 1, maxLength: 2 }), Gen.constant([])),
  (servers) => servers.map((server, index) => ({ pid: 201 + index, ...server }))
)

const strays: Arbitrary.Arbitrary<ReadonlyArray<SweepWorld.Stray>> = Gen.map(
  mostly<ReadonlyArray<SweepWorld.Stray>>(
    6,
    Gen.constant([]),
    Gen.constant(["Dead"]),
    Gen.constant(["Dead"]),
    Gen.array(Gen.element<SweepWorld.Stray>(["Refuses", "Mismatched", "Silent", "Babbles", "Fails"]), {
      minLength: 1,
      maxLength: 2
    })
  ),
  (strays) => [...new Set(strays)]
)

type EntryPart = Omit<SweepWorld.Entry, "pid">

const entry: Arbitrary.Arbitrary<EntryPart> = Gen.struct({
  sessionId: claudeId,
  start: usually<EntryPart["start"]>(8, "Ticks", "Ctime", "Ctime", "CtimeHour", "CtimeDay", "OtherTicks", "None"),
  state: usually<EntryPart["state"]>(24, "Whole", "Half", "Forbidden")
})

const isClaude = (looks: SweepWorld.Process["looks"]): boolean =>
  looks === "Claude" || looks === "ClaudeScript" || looks === "ClaudeDeleted"

const process = Gen.struct({
  role: Gen.element<SweepWorld.Process["role"]>(["Other", "Other", "Other", "Ancestor", "Descendant"]),
  looks: Gen.oneOf(
    Gen.constant<SweepWorld.Process["looks"]>("Shell"),
    Gen.constant<SweepWorld.Process["looks"]>("Claude"),
    Gen.element<SweepWorld.Process["looks"]>([
      "Shell",
      "Claude",
      "ClaudeScript",
      "ClaudeDeleted",
      "ClaudeHelper",
      "Namesake",
      "TmuxClient",
      "TmuxOnTerminal",
      "ZombieServer",
      "ZombieClaude"
    ])
  ),
  user: usually<SweepWorld.Process["user"]>(8, "Ours", "Other"),
  started: mostly<SweepWorld.Age>(2, age, Gen.constant("almostDay"), Gen.constant("moment")),
  later: Gen.element([0, 300_000, 300_001]),
  inner: usually<ReadonlyArray<number>>(10, [], [SweepWorld.innerPid]),
  uses
})

/** Processes, each with what registers it if it is Claude Code's. */
const processes = Gen.map(
  Gen.array(Gen.struct({ process, registered: mostly<EntryPart | undefined>(8, entry, none) }), { maxLength: 4 }),
  (processes) =>
    processes.map(({ process: { uses, ...process }, registered }, index) => ({
      process: { ...process, pid: 301 + index, uses: process.looks.startsWith("Zombie") ? [] : uses },
      registered
    }))
)

/** Entries that no Claude process wrote. */
const strayEntries = Gen.array(Gen.struct({ pid: Gen.element([900, 901, SweepWorld.innerPid, 301, 201]), entry }), {
  maxLength: 2
})

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
        agentEnded: usually(2, false, true),
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
      pid: Gen.element([900, 301, SweepWorld.innerPid]),
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
  active: mostly<SweepWorld.Age | undefined>(14, age, none, Gen.constant("ahead"), Gen.constant("moment")),
  readable: usually(30, true, false),
  obstacle: usually<SweepWorld.Obstacle | undefined>(30, undefined, ...SweepWorld.obstacles),
  head: usually<SweepWorld.Worktree["head"]>(8, "Landed", "OwnBranch", "OwnBranch", "OwnBranch", "Nowhere"),
  lock,
  owner: usually<SweepWorld.Worktree["owner"]>(24, "Ours", "Other", undefined),
  fileSystem: usually<string | undefined>(24, "ext4", "nfs4", undefined),
  ignored: usually(3, false, true)
})

const repository = usually<"Listed" | "Unlisted">(24, "Listed", "Unlisted")

/** A world in which anything may be the matter. */
const anyWorld: Arbitrary.Arbitrary<SweepWorld.SweepWorld> = Gen.map(
  Gen.struct({
    clock: usually(8, 0, ...SweepWorld.clocks.slice(1)),
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
    booted: usually<SweepWorld.Age | undefined>(20, "overWeek", "overDay", "overDay", "almostDay", undefined, "ahead"),
    hosted: usually(2, true, false),
    processes,
    registry: usually<SweepWorld.SweepWorld["registry"]>(10, "Found", "NotConsulted", "NotConsulted", "Fails"),
    strayEntries,
    transcripts: Gen.map(Gen.array(Gen.element([...claudeIds, "c9"]), { maxLength: 4 }), (ids) => [...new Set(ids)]),
    repositories: Gen.map(Gen.struct({ one: repository, two: repository }), ({ one, two }) => [one, two]),
    worktrees: Gen.map(
      mostly(4, Gen.array(worktree, { minLength: 1, maxLength: 3 }), Gen.array(worktree, { maxLength: 4 })),
      (worktrees) => uniqueBy(worktrees, ({ path }) => SweepWorld.truePath(path))
    )
  }),
  ({ alone, hosted, processes, strayEntries, ...world }) => ({
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

/** The world with all set right but one aspect of it. */
const settled = (world: SweepWorld.SweepWorld, aspect: (typeof aspects)[number]): SweepWorld.SweepWorld => ({
  ...world,
  clock: 0,
  store: "Read",
  ...(aspect === "Tmux" ? {} : ({ reach: "Here", strays: [] } as const)),
  table: "Listed",
  uses: "Known",
  booted: "overWeek",
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
    ...(aspect === "Git" ? {} : wellAsGitSeesIt),
    sentinel: aspect === "Owners" ? worktree.sentinel : { _tag: "Nothing" }
  }))
})

const wellAsGitSeesIt: Partial<SweepWorld.Worktree> = {
  active: "overWeek",
  readable: true,
  obstacle: undefined,
  head: "Landed",
  lock: undefined,
  owner: "Ours",
  fileSystem: "ext4"
}

/** A world in which little keeps the worktrees from going. */
export const settledWorld: Arbitrary.Arbitrary<SweepWorld.SweepWorld> = Gen.map(
  Gen.struct({ world: anyWorld, aspect: Gen.element(aspects) }),
  ({ world, aspect }) => settled(world, aspect)
)

/** A whole world, in every third of which little keeps the worktrees from going. */
export const sweepWorld: Arbitrary.Arbitrary<SweepWorld.SweepWorld> = mostly(2, anyWorld, settledWorld)

/** Something that goes wrong with the text of tmux. */
export const corruption: Arbitrary.Arbitrary<FakeTmux.Corruption> = Gen.struct({
  at: Gen.int(1, 3),
  lasting: usually(2, false, true),
  how: Gen.element<FakeTmux.Corruption["how"]>(["CutOff", "Control", "Replacement", "Row", "Signal", "Exit"]),
  bytes: Gen.int(0, 60)
})

/** Mostly nothing of the kind. */
export const corruptions: Arbitrary.Arbitrary<ReadonlyArray<FakeTmux.Corruption>> = mostly<
  ReadonlyArray<FakeTmux.Corruption>
>(2, Gen.constant([]), Gen.array(corruption, { minLength: 1, maxLength: 2 }))
