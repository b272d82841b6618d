/**
 * Random sessions and what runs of them: records, link files, tmux servers, processes and registry entries.
 */
import type * as Arbitrary from "effect/Arbitrary"
import * as Gen from "../Gen.ts"
import { mostly, none, usually } from "../Gen.ts"
import * as SweepNames from "./SweepNames.ts"
import * as SweepPlaces from "./SweepPlaces.ts"
import * as SweepProcesses from "./SweepProcesses.ts"
import type * as SweepTime from "./SweepTime.ts"
import type * as SweepWorld from "./SweepWorld.ts"

/** The ids of managed sessions; the last is nobody's. */
export const managedIds: ReadonlyArray<string> = ["m1", "m2", "m3", "m10"]

/** Claude ids. */
export const claudeIds: ReadonlyArray<string> = ["c1", "c2", "c3", "c10"]

/** Every id that is asked for, some of which nobody knows. */
export const ids: ReadonlyArray<string> = [...managedIds, "m9", ...claudeIds, "c9"]

export const managedId = Gen.element(managedIds)

const claudeId = Gen.element([...claudeIds, "c1", "c1", "c2"])

export const age: Arbitrary.Arbitrary<SweepTime.Age> = Gen.element([
  "overWeek",
  "overWeek",
  "overDay",
  "overDay",
  "overDay",
  "almostWeek",
  "almostDay"
])

/** When a record was made or active: often too lately, seldom in the future. */
const sign: Arbitrary.Arbitrary<SweepTime.Age | undefined> = mostly<SweepTime.Age | undefined>(
  9,
  age,
  none,
  none,
  Gen.element(["moment", "moment", "ahead"])
)

const usualName = Gen.element(["tm-a", "tm-b", "tm-ab", "tmpm-c_1", "trusty-mpm-d", "tm-a", "tm-b"])

/** Where worktrees and workspaces meet. */
export const meetingPath = Gen.element(["/w/a", "/w/b", "/w/a/in", ...SweepPlaces.worktreePaths])

const workspace: Arbitrary.Arbitrary<string | undefined> = mostly<string | undefined>(
  14,
  meetingPath,
  ...Array.from({ length: 6 }, () => Gen.element(SweepPlaces.placeablePaths)),
  none,
  none,
  none,
  Gen.element(SweepPlaces.unplaceablePaths),
  Gen.element(SweepPlaces.unplaceablePaths)
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
  tmuxName: mostly(7, usualName, Gen.element(Object.keys(SweepNames.names))),
  created: sign,
  active: sign,
  workspace,
  claudeId: mostly<string | undefined>(3, claudeId, none)
})

export const linkFile: Arbitrary.Arbitrary<SweepWorld.LinkFile> = Gen.struct({
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
  Gen.element(SweepPlaces.placeablePaths),
  Gen.element(["/shut/x", "/w/a/file/x", "/l/loop"])
)

const uses: Arbitrary.Arbitrary<ReadonlyArray<SweepWorld.Use>> = mostly<ReadonlyArray<SweepWorld.Use>>(
  4,
  Gen.constant([]),
  Gen.array(
    Gen.struct({
      kind: Gen.element(SweepProcesses.useKinds),
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
        Gen.element(Object.keys(SweepNames.padded)),
        Gen.element(Object.keys(SweepNames.names).filter((name) => name !== "" && !/[.#é]/.test(name)))
      ),
      panes: Gen.array(Gen.element([SweepProcesses.self, SweepProcesses.self, 301, 302, 999]), { maxLength: 2 })
    }),
    { maxLength: 2 }
  ),
  shows: Gen.element<SweepWorld.Server["shows"]>(["Title", "CutTitle", "Executable", "Argument"]),
  whose: usually<SweepWorld.Server["whose"]>(8, "Ours", "Other", "Below"),
  started: usually<SweepTime.Age>(6, "overMonth", "overDay", "moment"),
  uses
})

export const servers: Arbitrary.Arbitrary<ReadonlyArray<SweepWorld.Server>> = Gen.map(
  mostly(5, Gen.array(server, { minLength: 1, maxLength: 2 }), Gen.constant([])),
  (servers) => servers.map((server, index) => ({ pid: 201 + index, ...server }))
)

export const strays: Arbitrary.Arbitrary<ReadonlyArray<SweepWorld.Stray>> = Gen.map(
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

export const isClaude = (looks: SweepWorld.Process["looks"]): boolean =>
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
  started: mostly<SweepTime.Age>(2, age, Gen.constant("almostDay"), Gen.constant("moment")),
  later: Gen.element([0, 300_000, 300_001]),
  inner: usually<ReadonlyArray<number>>(10, [], [SweepProcesses.innerPid]),
  uses
})

/** Processes, each with what registers it if it is Claude Code's. */
export const processes = Gen.map(
  Gen.array(Gen.struct({ process, registered: mostly<EntryPart | undefined>(8, entry, none) }), { maxLength: 4 }),
  (processes) =>
    processes.map(({ process: { uses, ...process }, registered }, index) => ({
      process: { ...process, pid: 301 + index, uses: process.looks.startsWith("Zombie") ? [] : uses },
      registered
    }))
)

/** Entries that no Claude process wrote. */
export const strayEntries = Gen.array(
  Gen.struct({ pid: Gen.element([900, 901, SweepProcesses.innerPid, 301, 201]), entry }),
  {
    maxLength: 2
  }
)
