import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, FileSystem, Layer, Logger } from "effect"
import {
  ClaudeSessions,
  Git,
  GitChanges,
  Landed,
  OwnerSentinel,
  ProcessTable,
  Reclaim,
  ReclaimedTrees,
  ReclaimJournal,
  Restorations,
  type ReclaimPlan,
  SessionStore,
  SidecarReader,
  TmuxProbe,
  Verdict,
  WorkspaceClaims
} from "../src/internal.ts"

/** Every member of every service dies, and some throw before they give an effect. */
const dying = Layer.mergeAll(
  Layer.mock(Git.Git, {
    repository: () => {
      throw new Error("no repository today")
    }
  }),
  Layer.mock(GitChanges.GitChanges, {}),
  Layer.mock(ReclaimedTrees.ReclaimedTrees, {}),
  Layer.mock(ReclaimJournal.ReclaimJournal, {}),
  Layer.mock(Restorations.Restorations, {}),
  Layer.mock(OwnerSentinel.OwnerSentinel, {}),
  Layer.mock(ProcessTable.ProcessTable, {}),
  Layer.mock(ClaudeSessions.ClaudeSessions, {}),
  Layer.mock(SessionStore.SessionStore, {}),
  Layer.mock(SidecarReader.SidecarReader, {}),
  Layer.mock(TmuxProbe.TmuxProbe, {}),
  FileSystem.layerNoop({ lstat: () => Effect.die("no file today"), stat: () => Effect.die("no file today") }),
  Logger.layer([])
)

const permitted: ReclaimPlan.Candidate = {
  repository: "/r/.git",
  path: "/w",
  branch: undefined,
  head: "0".repeat(40),
  verdict: { _tag: "Permit", notes: [] } as Verdict.Verdict,
  gates: [],
  ends: [],
  lastSign: { _tag: "Unknown", reason: "" },
  signs: [],
  untracked: [],
  harmless: [],
  quietForMs: 0,
  landed: Landed.NotLanded({ why: "", commits: undefined, isReverted: false }),
  restsOnSettled: false,
  ignored: [],
  inSessionWorkspace: false,
  locked: undefined,
  identity: { directory: "1:1", adminDirectory: "/r/.git/worktrees/w" }
}

const plan: ReclaimPlan.Plan = { at: 0, settings: {}, candidates: [permitted], unlisted: [], notes: [] }
const repositories = ["/r"]

describe("when every service dies, a program still answers, and nothing is taken for gone", () => {
  const programs: Readonly<Record<string, Effect.Effect<unknown, never, Reclaim.Services>>> = {
    observe: WorkspaceClaims.observe,
    workspaceClaims: WorkspaceClaims.workspaceClaims(),
    identifyCaller: WorkspaceClaims.identifyCaller,
    locate: WorkspaceClaims.locate("/w"),
    survey: Reclaim.survey({ repositories }),
    apply: Reclaim.apply(plan),
    restore: Reclaim.restore("/w"),
    planExpiry: Reclaim.planExpiry({ repositories }),
    expire: Reclaim.expire({ at: 0, settings: {}, repositories, items: [], unlisted: [] }),
    list: Reclaim.list({ repositories })
  }
  for (const [name, program] of Object.entries(programs)) {
    it.live(name, () =>
      Effect.gen(function* () {
        const exit = yield* Effect.exit(Effect.provide(program, dying))
        assert.isTrue(Exit.isSuccess(exit), String(exit))
        const answer = JSON.stringify(Exit.isSuccess(exit) ? exit.value : "")
        assert.notMatch(answer, /SessionGone|Ended|Permit|Moved|Removed/)
        if (name === "planExpiry" || name === "expire" || name === "list" || name === "survey")
          assert.include(answer, "no repository today")
      })
    )
  }
})
