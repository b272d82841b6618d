/**
 * Every refusal and error in words. A tag that is added to the library without a line here does not compile.
 */
import * as ManagerSigns from "../../src/claims/core/ManagerSigns.ts"
import * as Landed from "../../src/verdict/core/Landed.ts"
import {
  ClaimState,
  type ClaudeRegistry,
  type GitFacts,
  LinkFile,
  LinkHistory,
  LinkWriter,
  Liveness,
  ClaudeSessions,
  Git,
  Observation,
  OwnerSentinel,
  Place,
  ProcessTable,
  PrunePlan,
  Leftover,
  ReclaimOutcome,
  SessionEnd,
  SessionOwners,
  SessionStore,
  SidecarReader,
  TmuxProbe,
  Vantage,
  Verdict
} from "../../src/internal.ts"
import * as Outcomes from "../../src/cli/Outcomes.ts"
import { FileFault } from "../../src/links/AppendOnlyFiles.ts"
import { LedgerError, Reason as LedgerReason } from "../../src/links/SavingsLedger.ts"
import * as Orphan from "../../src/reclaim/core/Orphan.ts"
import type { ReclaimRecord } from "../../src/reclaim/core/ReclaimRecord.ts"
import * as WritableByOthers from "../../src/shared/core/WritableByOthers.ts"
import * as Facts from "../verdict/Facts.ts"
import { type Case, landed } from "../verdict/Commits.ts"
import * as LandedCases from "../verdict/LandedCases.ts"
import { CommandError } from "../../src/shared/Command.ts"

/** What is said, under the name of the case. */
export type Texts = Readonly<Record<string, string>>

type Tag<A extends { readonly _tag: string }> = A["_tag"]

const texts = <K extends string, A>(cases: Readonly<Record<K, A>>, say: (one: A) => string): Texts =>
  Object.fromEntries(Object.entries<A>(cases).map(([name, one]) => [name, say(one)]))

const settled = ({ what, settle }: { readonly what: string; readonly settle: string }): string =>
  `${what}; to settle it, ${settle}`

const message = (error: { readonly message: string }): string => error.message

const detail = "what was seen"
const path = "/r/it"
const cause = new Error(detail)

const reason = Observation.Reason
const reasons = {
  NotInstalled: reason.NotInstalled({ detail }),
  SocketDirMissing: reason.SocketDirMissing({ detail }),
  ServerAbsent: reason.ServerAbsent({ detail }),
  ConnectFailed: reason.ConnectFailed({ detail }),
  VersionMismatch: reason.VersionMismatch({ detail }),
  Malformed: reason.Malformed({ detail }),
  Failed: reason.Failed({ detail }),
  TimedOut: reason.TimedOut({ detail }),
  UnheardServer: reason.UnheardServer({ pid: 4711 }),
  ProcessTable: reason.ProcessTable({ detail }),
  ForeignVantage: reason.ForeignVantage({ why: detail })
} satisfies Record<Tag<Observation.Reason>, Observation.Reason>

const here: Vantage.Facts = {
  platform: "linux",
  user: 1000,
  root: "/r",
  rootOwner: 1000,
  pidNamespace: Vantage.hostPidNamespace,
  sessionsAreHere: false,
  fileSystem: "ext4"
}
const vantages = {
  platform: { ...here, pidNamespace: undefined },
  user: { ...here, user: undefined },
  root: { ...here, root: "/r\u001b[2J", rootOwner: 0 },
  rootOwner: { ...here, rootOwner: undefined },
  needless: { ...here, rootOwner: undefined, needless: true },
  pidNamespace: { ...here, pidNamespace: "pid:[1]" },
  userNamespace: { ...here, userNamespace: "user:[1]" },
  timeNamespace: { ...here, timeNamespace: "time:[1]" },
  nameless: { ...here, userNamespace: "user:[1]", user: Vantage.overflowUid, rootOwner: Vantage.overflowUid },
  sessionsAreHere: { ...here, sessionsAreHere: true, pidNamespace: "pid:[1]", rootOwner: 0 },
  fileSystem: { ...here, fileSystem: "nfs4" },
  exposed: {
    ...here,
    exposed: `"/r" ${WritableByOthers.why({ owner: 1000, group: 1000, mode: 0o777 }, 1000, undefined)}`
  }
} satisfies Record<keyof Vantage.Facts | "nameless", Vantage.Facts>

const because = {
  Unobserved: Liveness.Because.Unobserved({ reason: reasons.TimedOut }),
  Listed: Liveness.Because.Listed({ idle: false }),
  NotManaged: Liveness.Because.NotManaged(),
  Unlistable: Liveness.Because.Unlistable(),
  Young: Liveness.Because.Young(),
  ProcessAlive: Liveness.Because.ProcessAlive(),
  Undecoded: Liveness.Because.Undecoded({ why: detail })
} satisfies Record<Tag<Liveness.Because>, Liveness.Because>

const placed = (at: string): Place.Place =>
  Place.resolved(at, [{ segments: Place.segmentsOf(at) ?? [], identities: [] }])

const live = Liveness.Live({ because: because.Listed })
const gone = Liveness.livenessOf(
  Observation.Answered({ servers: [], names: [] }),
  { tmuxName: "tm-a", process: "None" },
  0
)
const held = (at: string, liveness: Liveness.Liveness) => [{ session: "5f0c", place: placed(at), liveness }]

const claims = {
  Foreign: { _tag: "Foreign", claims: held("/w/a", live) },
  Undeterminable: { _tag: "Undeterminable", why: "the records could not be read: …", claims: [] },
  CallerWorkspace: { _tag: "CallerWorkspace", claims: held("/w/a", live) },
  ForeignNested: { _tag: "ForeignNested", claims: held("/w", live) },
  CallerNested: { _tag: "CallerNested", claims: held("/w", live) },
  DeadClaimsDiscarded: { _tag: "DeadClaimsDiscarded", claims: held("/w/a", gone) },
  Unclaimed: { _tag: "Unclaimed" }
} satisfies Record<Tag<ClaimState.ClaimState>, ClaimState.ClaimState>

const registry: ClaudeRegistry.ClaudeRegistry = {
  entries: [],
  transcripts: new Set(["there"]),
  unread: undefined,
  incomplete: undefined
}
const running: ClaudeRegistry.Judged = {
  pid: 42,
  sessionId: "there",
  liveness: { _tag: "Unknown", startedAt: undefined }
}
const entry = { path: "/c/sessions/\u001b42.json" }
const owners: SessionOwners.SessionOwners = {
  owners: new Map([
    ["gone", gone],
    ["live", live]
  ]),
  current: new Map([["live", "now"]]),
  history: LinkHistory.fromEntries([
    { name: "live", content: LinkFile.parse(new TextEncoder().encode("before\nnow\n")) },
    { name: "lost", content: LinkFile.parse(new TextEncoder().encode("orphan\n")) }
  ]),
  caller: "me",
  registry
}
const ends = {
  "the records were not read": SessionOwners.sessionEnd(SessionOwners.unread(undefined), "x"),
  "a session that is live": SessionOwners.sessionEnd(owners, "live"),
  "a session that is gone": SessionOwners.sessionEnd(owners, "gone"),
  "an id that is linked, without a record": SessionOwners.sessionEnd(owners, "orphan"),
  "an id that was superseded": SessionOwners.sessionEnd(owners, "before"),
  "an id that was superseded, without another": SessionOwners.sessionEnd({ ...owners, current: new Map() }, "before"),
  "an id that was superseded, registry not consulted": SessionOwners.sessionEnd(
    { ...owners, registry: undefined },
    "before"
  ),
  "an id that was superseded, registry not complete": SessionOwners.sessionEnd(
    { ...owners, registry: { ...registry, incomplete: detail } },
    "before"
  ),
  "an id that was superseded, its process runs": SessionOwners.sessionEnd(
    { ...owners, registry: { ...registry, entries: [{ ...running, sessionId: "now" }] } },
    "before"
  ),
  "the history is unreadable": SessionOwners.sessionEnd(
    { ...owners, history: LinkHistory.Unreadable({ reason: detail }) },
    "there"
  ),
  "nobody knows the id, registry not consulted": SessionOwners.sessionEnd({ ...owners, registry: undefined }, "x"),
  "nobody knows the id, registry not complete": SessionOwners.sessionEnd(
    { ...owners, registry: { ...registry, incomplete: detail } },
    "x"
  ),
  "nobody knows the id, no transcript": SessionOwners.sessionEnd(owners, "x"),
  "nobody knows the id, a process may have done its work": SessionOwners.sessionEnd(
    { ...owners, registry: { ...registry, entries: [{ ...running, sessionId: "else" }] } },
    "there"
  ),
  "nobody knows the id, its transcript is here": SessionOwners.sessionEnd(owners, "there"),
  "a process that runs it": SessionOwners.sessionEnd(
    { ...owners, registry: { ...registry, entries: [{ ...running, liveness: { _tag: "Live", startedAt: 0 } }] } },
    "there"
  ),
  "a process that runs it, by its entry": SessionOwners.sessionEnd(
    {
      ...owners,
      registry: { ...registry, entries: [{ ...running, ...entry, liveness: { _tag: "Live", startedAt: 0 } }] }
    },
    "there"
  ),
  "a process that may run it, by its entry": SessionOwners.sessionEnd(
    { ...owners, registry: { ...registry, entries: [{ ...running, ...entry }] } },
    "there"
  ),
  "a process that may run it": SessionOwners.sessionEnd(
    { ...owners, registry: { ...registry, entries: [running] } },
    "there"
  ),
  "the caller": SessionOwners.sessionEnd(owners, "me")
} satisfies Readonly<Record<string, SessionEnd.SessionEnd>>

const sayEnd = (end: SessionEnd.SessionEnd): string =>
  SessionEnd.$match(end, {
    Ended: ({ why }) => `Ended: ${why}`,
    Live: ({ why }) => `Live: ${why}`,
    Caller: () => "Caller",
    Undeterminable: ({ reason }) => `Undeterminable: ${reason}`
  })

/** Which ends are shown: each kind at least once. */
export const endTags: ReadonlySet<string> = new Set(Object.values(ends).map(({ _tag }) => _tag))

const day = 24 * 60 * 60 * 1000
const free = { ...Facts.free, path: "/w/a" }
const told = (facts: Partial<GitFacts.GitFacts>): Verdict.Facts => ({ ...free, ...Facts.withGit(facts) })
const registered = (facts: Partial<GitFacts.Registered>): Verdict.Facts => ({ ...free, ...Facts.registered(facts) })
const agent = { agentId: "a-7", delegationId: "d-1", parent: "c-1", endedAt: undefined }
const named = (owner: string | undefined, end?: SessionEnd.SessionEnd, work?: OwnerSentinel.Agent): Verdict.Facts => ({
  ...free,
  sentinel: OwnerSentinel.Named({ owner, agent: work, createdAt: 0 }),
  ends: new Map(end === undefined ? [] : [[owner ?? work?.parent ?? "", end]]),
  landed: Facts.notLanded
})

const byGate = {
  Claim: texts(claims, (claim) => refusal("Claim", { ...free, claim })),
  Owner: texts(
    {
      "the sentinel is unreadable": { ...free, sentinel: OwnerSentinel.Unreadable({ why: detail }) },
      "the owner was not judged": named("5f0c"),
      "the owner is live": named("5f0c", ends["a session that is live"]),
      "the owner may be live": named("5f0c", ends["nobody knows the id, no transcript"]),
      "the owner has ended": named("5f0c", ends["a session that is gone"])
    },
    (facts: Verdict.Facts) => refusal("Owner", facts)
  ),
  Occupied: texts(
    {
      Known: Facts.known([{ pid: 7, program: "vim", pane: "%4 of tm-app", how: "working directory /w/a" }]),
      "Known, of a multiplexer and others": Facts.known(
        ["tmux: server", "vim", "sh"].map((program, pid) => ({ pid, program, how: "working directory /w/a" }))
      ),
      Unknown: Facts.unknown(detail)
    } satisfies Record<
      Tag<Verdict.Facts["occupants"]> | "Known, of a multiplexer and others",
      Verdict.Facts["occupants"]
    >,
    (occupants: Verdict.Facts["occupants"]) => refusal("Occupied", { ...free, occupants })
  ),
  Vantage: texts(
    {
      OtherUser: Facts.known("OtherUser"),
      Network: Facts.known("Network"),
      Unknown: Facts.unknown(detail)
    } satisfies Record<Exclude<Verdict.Vantage, "Own"> | "Unknown", Verdict.Facts["vantage"]>,
    (vantage: Verdict.Facts["vantage"]) => refusal("Vantage", { ...free, vantage })
  ),
  Quiet: texts(
    {
      unknown: Facts.unknown(detail),
      minutes: Facts.since(5 * 60_000),
      hours: Facts.since(20 * 60 * 60_000, "the HEAD log"),
      ahead: Facts.since(-day)
    } satisfies Record<string, Verdict.Facts["lastSign"]>,
    (lastSign: Verdict.Facts["lastSign"]) => refusal("Quiet", { ...free, lastSign })
  ),
  Git: {
    unknown: refusal("Git", { ...free, git: { _tag: "Unknown", reason: detail } }),
    ...texts(
      {
        longLived: { longLived: true },
        nested: { nested: ["/w/a/b"] },
        mounts: { mounts: ["/w/a/b"] },
        immovable: { immovable: "it is on another device than its repository" },
        ledTo: { ledTo: ["/w/r/docs"] },
        submodules: { submodules: true },
        dirty: { dirty: [" M x", "?? y"] },
        harmless: { harmless: ["x"] },
        flagged: { flagged: [{ path: "x", flag: "assume-unchanged" }] },
        operation: { operation: "rebase" },
        indexLock: { indexLock: true },
        headContained: { headContained: false },
        ignored: { ignored: ["x"] },
        ignoredWrite: { ignoredWrite: { path: "x", at: Facts.now - 1 } }
      } satisfies Record<keyof GitFacts.GitFacts, Partial<GitFacts.GitFacts>>,
      (facts: Partial<GitFacts.GitFacts>) => refusal("Git", told(facts))
    ),
    ...texts(
      {
        main: { main: true },
        reclaimed: { reclaimed: true },
        lock: { lock: { holder: "Unknown", reason: "mine" } },
        head: { head: undefined },
        branch: { branch: undefined }
      } satisfies Record<keyof GitFacts.Registered, Partial<GitFacts.Registered>>,
      (facts: Partial<GitFacts.Registered>) => refusal("Git", registered(facts))
    ),
    ...texts({ Live: "Live", Gone: "Gone" } as const, (holder) =>
      refusal("Git", registered({ lock: { holder, reason: "claude agent (pid 7)" } }))
    )
  },
  Settled: texts(
    {
      "nobody is named, not landed": { ...free, landed: Facts.notLanded },
      "nobody is named, in another's workspace": { ...free, claim: claims.ForeignNested },
      "detached, not landed": { ...registered({ branch: undefined }), landed: Facts.notLanded },
      "the agent's parent is live": named(undefined, ends["a session that is live"], agent),
      "the agent's parent may be live": named(undefined, ends["nobody knows the id, no transcript"], agent),
      "the agent's parent is the caller": named(undefined, ends["the caller"], agent),
      "the agent was marked, and worked on": named(undefined, ends["the caller"], { ...agent, endedAt: 0 }),
      "the sentinel is unreadable": {
        ...free,
        sentinel: OwnerSentinel.Unreadable({ why: detail }),
        landed: Facts.notLanded
      },
      "the owner is live": named("5f0c", ends["a session that is live"]),
      "the agent's parent ended with the machine": {
        ...named(undefined, ends["a session that is gone"], agent),
        bootedAt: Facts.known(Facts.now)
      },
      "the owner ended with the machine": {
        ...named("5f0c", ends["a session that is gone"]),
        bootedAt: Facts.known(Facts.now)
      },
      "the owner ended with its tmux server": {
        ...named("5f0c", ends["a session that is gone"]),
        managed: new Set(["5f0c"]),
        serversStartedAt: Facts.known([])
      },
      "no time is known": { ...free, landed: Facts.notLanded, lastSign: Facts.unknown(detail) }
    } satisfies Record<string, Verdict.Facts>,
    (facts: Verdict.Facts) => refusal("Settled", facts)
  )
} satisfies Record<Verdict.Gate, Texts>

function refusal(gate: Verdict.Gate, facts: Verdict.Facts): string {
  const step = Verdict.explain(facts).find((step) => step.gate === gate)
  if (step?.refusal === undefined) return "(permits)"
  return step.advice === undefined ? step.refusal : `${step.refusal} [${step.advice}]`
}

const outcomes = {
  Moved: ReclaimOutcome.Moved({ path: "/w/a", to: "/r/.git/reclaimed/a", notes: ["a note"] }),
  Kept: ReclaimOutcome.Kept({ path: "/w/a", gate: "Quiet", reason: detail }),
  Restored: ReclaimOutcome.Restored({ path: "/w/a", from: "/r/.git/reclaimed/a", notes: ["a note"] }),
  Removed: ReclaimOutcome.Removed({ path: "/w/a", from: "/r/.git/reclaimed/a" }),
  RemovedEmpty: ReclaimOutcome.RemovedEmpty({ path: "/w/a" }),
  Slimmed: ReclaimOutcome.Slimmed({ path: "/w/a", freed: 1536 * 1024, directories: ["node_modules", "app/dist"] }),
  Recovered: ReclaimOutcome.Recovered({ path: "/w/a", what: detail }),
  Failed: ReclaimOutcome.Failed({ path: "/w/a", step: "move", reason: detail })
} satisfies Record<Tag<ReclaimOutcome.ReclaimOutcome>, ReclaimOutcome.ReclaimOutcome>

const { Obstacle } = ReclaimOutcome

const obstacles = {
  Unlisted: Obstacle.Unlisted(),
  Replaced: Obstacle.Replaced(),
  SwitchedBranch: Obstacle.SwitchedBranch(),
  NotDue: Obstacle.NotDue({ until: 0 }),
  Precious: Obstacle.Precious({ paths: ["a", "b", "c", "d\u001b"] }),
  NoAdminDirectory: Obstacle.NoAdminDirectory({ path: "/w/a" }),
  NotReclaimed: Obstacle.NotReclaimed(),
  Several: Obstacle.Several({ paths: ["/r/.git/reclaimed/a", "/r/.git/reclaimed/b"] }),
  NotOurs: Obstacle.NotOurs({ why: detail }),
  NeedsPath: Obstacle.NeedsPath({ why: detail }),
  PathTaken: Obstacle.PathTaken({ path: "/w/a" }),
  NoSuchPath: Obstacle.NoSuchPath({ path: "a" }),
  NothingRegenerable: Obstacle.NothingRegenerable({ heldBack: ["dist: it holds .env"] }),
  Network: Obstacle.Network({ fileSystem: "nfs4" })
} satisfies Record<Tag<ReclaimOutcome.Obstacle>, ReclaimOutcome.Obstacle>

const record: ReclaimRecord = {
  name: "T-a",
  path: "/w/a",
  branch: "refs/heads/a",
  head: "0".repeat(40),
  at: 0,
  settledOnly: false,
  priorLock: undefined
}
const found: Leftover.Found = {
  entry: {
    repository: { inode: "1", birth: 1 },
    commonDirectory: "/r/.git",
    tree: { inode: "2", birth: 2 },
    adminName: "a",
    record,
    restoringSince: undefined
  },
  adminDirectory: "/r/.git/worktrees/a",
  registered: true,
  lock: "Ours",
  lies: true,
  withdrawn: undefined,
  taken: undefined,
  stands: undefined,
  linked: true,
  head: record.head
}
const left: Readonly<Record<string, Leftover.Found>> = {
  whole: found,
  "not linked": { ...found, linked: false },
  "not registered": { ...found, registered: false },
  "locked by somebody": { ...found, lock: "Other" },
  "HEAD elsewhere": { ...found, head: "f".repeat(40) },
  "not there": { ...found, lies: false, linked: false },
  "removal under way": { ...found, lock: "Suspended" },
  "removal about to begin": { ...found, lies: false, withdrawn: "/r/.git/reclaimed/.removing-T-a" },
  "out of reach, its place taken": {
    ...found,
    lies: false,
    withdrawn: "/r/.git/reclaimed/.removing-T-a",
    taken: "another directory lies there than the one that was reclaimed"
  },
  "removal done": { ...found, lies: false, linked: false, lock: "Suspended" },
  "still there": { ...found, lies: false, stands: "/w/a" },
  "there again": { ...found, entry: { ...found.entry, restoringSince: 1 }, lies: false, stands: "/w/a" }
}

const sayLeft = (one: Leftover.Found): string => {
  const recovery = Leftover.recovery("/r/.git", one)
  const counts = Leftover.obstacle(one) ?? "(counts)"
  switch (recovery._tag) {
    case "Nothing":
    case "Forget":
      return counts
    case "Report":
      return `${recovery.path}: ${recovery.reason}; ${counts}`
    case "Steps":
      return `${recovery.path}: ${recovery.what}; ${counts}`
  }
}

const errors = {
  SidecarError: texts(
    {
      Vanished: SidecarReader.Reason.Vanished(),
      NotRegular: SidecarReader.Reason.NotRegular(),
      TooLarge: SidecarReader.Reason.TooLarge(),
      Unreadable: SidecarReader.Reason.Unreadable()
    } satisfies Record<Tag<SidecarReader.Reason>, SidecarReader.Reason>,
    (reason: SidecarReader.Reason) => message(new SidecarReader.SidecarError({ reason, path, cause }))
  ),
  LinkWriteError: texts(
    {
      Missing: LinkWriter.Reason.Missing(),
      NotRegular: LinkWriter.Reason.NotRegular(),
      TooLarge: LinkWriter.Reason.TooLarge(),
      NameFolds: LinkWriter.Reason.NameFolds(),
      Taken: LinkWriter.Reason.Taken(),
      Immovable: LinkWriter.Reason.Immovable(),
      Failed: LinkWriter.Reason.Failed()
    } satisfies Record<Tag<LinkWriter.Reason>, LinkWriter.Reason>,
    (reason: LinkWriter.Reason) => message(new LinkWriter.LinkWriteError({ reason, path, cause }))
  ),
  LedgerError: texts(
    {
      NotRegular: LedgerReason.NotRegular(),
      Unreadable: LedgerReason.Unreadable(),
      Unwritten: LedgerReason.Unwritten()
    } satisfies Record<Tag<LedgerReason>, LedgerReason>,
    (reason: LedgerReason) => message(new LedgerError({ reason, path, cause }))
  ),
  FileFault: texts(
    {
      Missing: "Missing",
      NotRegular: "NotRegular",
      TooLarge: "TooLarge",
      Taken: "Taken",
      NameFolds: "NameFolds",
      Failed: "Failed"
    } satisfies { readonly [K in FileFault["kind"]]: K },
    (kind: FileFault["kind"]) => message(new FileFault({ kind, path, cause }))
  ),
  SessionStoreError: texts(
    {
      Missing: new SessionStore.Missing(),
      NoManager: new SessionStore.NoManager(),
      Unreadable: new SessionStore.Unreadable(),
      Malformed: new SessionStore.Malformed({ why: 'has no object "sessions"' })
    } satisfies Record<Tag<SessionStore.SessionStoreError["reason"]>, SessionStore.SessionStoreError["reason"]>,
    (reason: SessionStore.SessionStoreError["reason"]) => message(new SessionStore.SessionStoreError({ reason, path }))
  ),
  TmuxProbeError: { ...texts(reasons, (reason) => message(new TmuxProbe.TmuxProbeError({ reason }))) },
  ProcessTableError: texts(
    {
      Unlistable: new ProcessTable.Unlistable(),
      ProcessUnreadable: new ProcessTable.ProcessUnreadable({ pid: 7 })
    } satisfies Record<Tag<ProcessTable.ProcessTableError["reason"]>, ProcessTable.ProcessTableError["reason"]>,
    (reason: ProcessTable.ProcessTableError["reason"]) =>
      message(new ProcessTable.ProcessTableError({ reason, detail }))
  ),
  ClaudeSessionsError: { any: message(new ClaudeSessions.ClaudeSessionsError({ path, cause })) },
  OwnerSentinelError: texts(
    {
      NoWorktree: new OwnerSentinel.NoWorktree(),
      NotTheirs: new OwnerSentinel.NotTheirs(),
      Unwritten: new OwnerSentinel.Unwritten()
    } satisfies Record<Tag<OwnerSentinel.OwnerSentinelError["reason"]>, OwnerSentinel.OwnerSentinelError["reason"]>,
    (reason: OwnerSentinel.OwnerSentinelError["reason"]) =>
      message(new OwnerSentinel.OwnerSentinelError({ reason, worktree: "/w/a", detail }))
  ),
  GitError: texts(
    {
      NotUsable: new Git.NotUsable(),
      NoRepository: new Git.NoRepository(),
      Failed: new Git.Failed(),
      NotDone: new Git.NotDone()
    } satisfies Record<Tag<Git.GitError["reason"]>, Git.GitError["reason"]>,
    (reason: Git.GitError["reason"]) => message(new Git.GitError({ reason, path, detail }))
  ),
  CommandError: texts(
    {
      NotFound: "NotFound",
      NotStarted: "NotStarted",
      TimedOut: "TimedOut",
      TooMuch: "TooMuch",
      Killed: "Killed"
    } satisfies { readonly [K in CommandError["kind"]]: K },
    (kind: CommandError["kind"]) => message(new CommandError({ kind, detail: `tmux: ${detail}` }))
  )
}

const history = {
  Absent: LinkHistory.Absent(),
  Read: LinkHistory.fromEntries([]),
  Unreadable: LinkHistory.fromEntries([
    { name: "damaged", content: LinkFile.parse(Uint8Array.from([0xff, 0x0a])) },
    { name: "no\u001bid", content: LinkFile.parse(new Uint8Array()) },
    { name: "torn", content: LinkFile.parse(Uint8Array.from([0x61])) },
    { name: "unread", content: { unreadable: detail } }
  ])
} satisfies Record<Tag<LinkHistory.LinkHistory>, LinkHistory.LinkHistory>

const orphan: Orphan.Orphan = {
  path: "/w/my app/.claude/worktrees/a",
  store: "/w/my app/.claude/worktrees",
  kind: "Empty",
  adminDirectory: "/r/.git/worktrees/a",
  writtenAt: 0,
  owner: 7,
  identity: "1:1"
}

const sayLanded = (answer: Landed.Landed): string =>
  answer._tag === "Landed" ? `(landed in ${answer.into}) ${answer.how}` : answer.why

const whetherLanded = {
  ...texts(LandedCases.cases, (one: Case) => sayLanded(landed(one)[0])),
  "contents are not to be compared": sayLanded(Landed.notMerged({ into: "main" })),
  "no default branch": sayLanded(Landed.strictest([]))
}

/** Everything that plain values can say. */
export const sections: Readonly<Record<string, Texts>> = {
  "tmux was not observed": texts(reasons, (one: Observation.Reason) => settled(Observation.explain(one))),
  "tmux was not observed from here": texts(vantages, (facts: Vantage.Facts) => Vantage.foreign(facts) ?? "(good)"),
  "a session counts as live": texts(
    { ...because, "Listed, idle": Liveness.Because.Listed({ idle: true }) },
    (one: Liveness.Because) => settled(Liveness.explain(one))
  ),
  "another manager may run": {
    "no root was named": ManagerSigns.refusal([
      ManagerSigns.listed('tm-"a"\u001b'),
      ManagerSigns.unseen(reasons.TimedOut),
      ...ManagerSigns.inEnvironments([
        { pid: 9, root: "/r\u001b" },
        { pid: 7, root: "/r\u001b" },
        { pid: 8, root: "/s" }
      ])
    ]),
    "no record names them": ManagerSigns.another(["tm-a", "tm-b"]),
    "tmux was not observed": ManagerSigns.unobserved(reasons.TimedOut)
  },
  "what the claims say": texts(claims, ClaimState.explain),
  "whether a session has ended": texts(ends, sayEnd),
  ...Object.fromEntries(Object.entries(byGate).map(([gate, said]) => [`the gate ${gate}`, said])),
  "whether it has landed": whetherLanded,
  "the link history": texts(history, (one: LinkHistory.LinkHistory) =>
    LinkHistory.$match(one, { Absent: () => "(absent)", Read: () => "(read)", Unreadable: ({ reason }) => reason })
  ),
  "what became of a worktree": texts(outcomes, Outcomes.text),
  "why a worktree stays although no gate refuses": texts(
    {
      ...obstacles,
      "NothingRegenerable, nothing": Obstacle.NothingRegenerable({ heldBack: [] }),
      "NothingRegenerable, three": Obstacle.NothingRegenerable({ heldBack: ["a: .env", "b: .env", "c\u001b: .env"] }),
      "NothingRegenerable, more": Obstacle.NothingRegenerable({ heldBack: ["a", "b", "c", "d", "e"] }),
      "Network, not known": Obstacle.Network({ fileSystem: undefined })
    },
    ReclaimOutcome.explain
  ),
  "a directory that no repository registers": texts(
    { Empty: "Empty", Checkout: "Checkout", Repository: "Repository", Files: "Files" } satisfies {
      readonly [K in Orphan.Kind]: K
    },
    (kind: Orphan.Kind) => Orphan.settles({ ...orphan, kind })
  ),
  "why an empty one stays": texts(
    {
      "another user's": { ...orphan, owner: 8 },
      "written lately": orphan,
      "of no known time": { ...orphan, writtenAt: undefined }
    } satisfies Record<string, Orphan.Orphan>,
    (one: Orphan.Orphan) => {
      const kept = Orphan.keeps(one, 7, 0, {})
      return kept === undefined ? "(may go)" : Outcomes.text(kept)
    }
  ),
  "what a sweep that died has left": texts(left, sayLeft),
  "why nothing is pruned": { refused: PrunePlan.refuse({ now: 0, olderThan: 0 }, detail).refused ?? "" },
  ...Object.fromEntries(Object.entries(errors).map(([name, said]) => [`the error ${name}`, said]))
}
