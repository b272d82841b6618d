import { NodeFileSystem, NodePath } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Layer, Logger } from "effect"
import {
  ClaudeSessions,
  Git,
  GitChanges,
  ReclaimedTrees,
  ReclaimJournal,
  Restorations,
  Landed,
  OwnerSentinel,
  ProcessTable,
  Reclaim,
  Leftover,
  ReclaimRecord,
  ReclaimStep,
  SessionStore,
  SidecarReader,
  TmuxProbe,
  type SessionRecord
} from "../../src/internal.ts"
import * as PathUses from "../../src/machine/core/PathUses.ts"

const day = 24 * 60 * 60 * 1000
const common = "/nowhere/r/.git"
const head = "0123456789012345678901234567890123456789"

/** One worktree of a world in memory. What begins to use it is kept with the moment at which it began. */
interface Tree {
  readonly home: string
  readonly admin: string
  at: string
  identity: string
  replacedAt: number
  lockedAt: number
  head: string
  branch: string | undefined
  lock: string | undefined
  openLock: string | undefined
  readonly since: Map<Use, number>
}

type Use = "session" | "process" | "dirty" | "index.lock"

const uses: ReadonlyArray<Use> = ["session", "process", "dirty", "index.lock"]

/** When each kind of use would last have been seen. */
interface Looks {
  store: number
  processes: number
  readonly inspected: Map<string, number>
}

const numbers = (seed: number) => {
  let state = seed + 1
  return (below: number): number => {
    state = Math.imul(state ^ (state >>> 15), state | 1)
    state ^= state + Math.imul(state ^ (state >>> 7), state | 61)
    return ((state ^ (state >>> 14)) >>> 0) % below
  }
}

const fault = (detail: string): Git.GitError => new Git.GitError({ reason: new Git.Failed(), path: common, detail })

/** The real file system, in which every tree stands. */
const standing = Layer.effect(
  FileSystem.FileSystem,
  Effect.gen(function* () {
    const real = yield* FileSystem.FileSystem
    const directory = yield* real.lstat("/")
    return {
      ...real,
      lstat: (file: string) => (file.startsWith("/nowhere/w/") ? Effect.succeed(directory) : real.lstat(file))
    }
  })
).pipe(Layer.provide(NodeFileSystem.layer), Layer.orDie)

const pid = 4242
const now = Date.now()

const world = (seed: number) => {
  const pick = numbers(seed)
  let tick = 0
  let unreadable = false
  let guarded = false
  const looks: Looks = { store: 0, processes: 0, inspected: new Map() }
  const wrongs: Array<string> = []
  const moved: Array<string> = []
  const trees = [0, 1].map((index): Tree => ({
    home: `/nowhere/w/t${index}`,
    admin: `${common}/worktrees/t${index}`,
    at: `/nowhere/w/t${index}`,
    identity: `1:${index}`,
    replacedAt: 0,
    lockedAt: 0,
    head,
    branch: `refs/heads/b${index}`,
    lock: undefined,
    openLock: undefined,
    since: new Map()
  }))

  /** Anything may happen between any two calls, and the other sweep may go on. */
  const meanwhile = Effect.suspend(() => {
    tick++
    const tree = trees[pick(trees.length)]
    const what = pick(60)
    const use = uses[what]
    if (tree !== undefined && tree.at === tree.home) {
      if (use !== undefined) {
        if (!tree.since.has(use)) tree.since.set(use, tick)
      } else if (what === 4) {
        tree.identity += "'"
        tree.replacedAt = tick
      } else if (what === 5) tree.head = `f${tree.head.slice(1)}`
      else if (what === 6 && tree.lock === undefined) tree.lock = "mine"
      else if (what === 7) tree.branch = "refs/heads/other"
    }
    if (what === 8) unreadable = !unreadable
    return Effect.yieldNow
  })
  const after = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => Effect.andThen(meanwhile, effect)

  const known = (admin: string): Tree => trees.find((tree) => tree.admin === admin) ?? assert.fail(admin)

  const carryOut = (step: ReclaimStep.ReclaimStep): Effect.Effect<ReadonlyArray<string>, Git.GitError> =>
    Effect.suspend(() => {
      if (!guarded) wrongs.push(`${step._tag} without the guard`)
      switch (step._tag) {
        case "AcquireLock": {
          const tree = known(step.adminDirectory)
          if (tree.lock !== step.prior) return Effect.fail(fault("locked"))
          tree.lock = step.reason
          tree.lockedAt = tick
          break
        }
        case "ReleaseLock": {
          const tree = known(step.adminDirectory)
          if (tree.lock !== step.reason) return Effect.fail(fault("not ours"))
          tree.lock = undefined
          break
        }
        case "Detach": {
          const tree = known(step.adminDirectory)
          if (tree.head !== step.head) return Effect.fail(fault("HEAD has moved"))
          tree.branch = undefined
          break
        }
        case "Attach": {
          const tree = known(step.adminDirectory)
          if (tree.branch === undefined && tree.head === step.head) tree.branch = step.branch
          break
        }
        case "Move": {
          const tree = trees.find(({ at }) => at === step.from)
          if (tree === undefined) return Effect.fail(fault("nothing there"))
          if (step.from === tree.home) {
            moved.push(tree.home)
            for (const [use, since] of tree.since) {
              const seen =
                use === "session"
                  ? looks.store
                  : use === "process"
                    ? looks.processes
                    : (looks.inspected.get(tree.home) ?? 0)
              if (since < seen) wrongs.push(`${use} since ${since}, last looked at ${seen}, moved at ${tick}`)
            }
            if (tree.lockedAt < tree.replacedAt && tree.replacedAt < (looks.inspected.get(tree.home) ?? 0)) {
              wrongs.push("replaced while it was locked")
            }
            if (!ReclaimRecord.looksOurs(tree.lock ?? "")) wrongs.push(`moved under the lock ${tree.lock}`)
          }
          tree.at = step.to
          break
        }
      }
      return Effect.succeed([])
    })

  const faulty = (step: ReclaimStep.ReclaimStep) =>
    Effect.suspend(() => {
      const luck = pick(80)
      if (luck === 0) return Effect.fail(fault("failed before"))
      return luck === 1 ? Effect.andThen(carryOut(step), Effect.fail(fault("failed after"))) : carryOut(step)
    })

  const git = Git.Git.of({
    content: () => Effect.die("not asked here"),
    repository: () =>
      after(
        Effect.sync(() => ({
          commonDirectory: common,
          fileSystem: "ext4",
          worktrees: [
            { path: "/nowhere/r", main: true, bare: false, head, branch: "refs/heads/main", locked: undefined },
            ...trees.map(({ at, head, branch, lock }) => ({
              path: at,
              main: false,
              bare: false,
              head,
              branch,
              locked: lock
            }))
          ]
        }))
      ),
    landed: () => Effect.succeed(Landed.NotLanded({ why: "not asked", commits: undefined, isReverted: false })),
    files: (_, worktree) =>
      after(
        Effect.suspend(() => {
          const tree = trees.find(({ at }) => at === worktree.path)
          if (tree === undefined) return Effect.fail(fault("gone"))
          looks.inspected.set(tree.home, tick)
          return Effect.succeed({
            adminDirectory: tree.admin,
            identity: tree.identity,
            isBesideRepository: true,
            mounts: [],
            repositories: [],
            signs: [{ _tag: "Known", value: { what: "a directory", at: now - 30 * day } }],
            headLog: { madeAt: undefined, commits: false },
            owner: 0,
            fileSystem: "ext4"
          })
        })
      ),
    inspect: (_, worktree) =>
      after(
        Effect.suspend(() => {
          const tree = trees.find(({ at }) => at === worktree.path)
          if (tree === undefined) return Effect.fail(fault("gone"))
          return Effect.succeed({
            longLived: false,
            nested: [],
            mounts: [],
            immovable: undefined,
            ledTo: [],
            submodules: false,
            dirty: tree.since.has("dirty") ? ["?? x"] : [],
            untracked: [],
            harmless: [],
            flagged: [],
            operation: undefined,
            indexLock: tree.since.has("index.lock"),
            headContained: true,
            ignored: [],
            ignoredWrite: undefined
          })
        })
      )
  })

  const changes = GitChanges.GitChanges.of({
    carryOut: (_, step) => after(faulty(step)),
    guard: () =>
      after(
        Effect.acquireRelease(
          Effect.suspend(() => {
            if (guarded) return Effect.fail(fault("another sweep is at work"))
            guarded = true
            return Effect.void
          }),
          () => Effect.sync(() => (guarded = false))
        )
      ).pipe(Effect.asVoid)
  })

  const identityOf = (inode: string) => ({ inode, birth: null })
  const reclaimed = Layer.effect(
    ReclaimedTrees.ReclaimedTrees,
    Effect.map(ReclaimJournal.ReclaimJournal, (journal) =>
      ReclaimedTrees.ReclaimedTrees.of({
        identify: (_, path) => after(Effect.succeed({ repository: identityOf(common), tree: identityOf(path) })),
        look: () =>
          after(
            Effect.map(journal.read(identityOf(common)), ({ entries }) =>
              entries.map((entry) => {
                const tree = known(`${common}/worktrees/${entry.adminName}`)
                const lies = tree.at !== tree.home
                const lock = tree.lock === ReclaimRecord.printLock(entry.record) ? "Ours" : "Other"
                return Leftover.Journalled({
                  found: {
                    entry,
                    adminDirectory: tree.admin,
                    registered: true,
                    lock: tree.lock === undefined ? "None" : lock,
                    lies,
                    withdrawn: undefined,
                    taken: undefined,
                    stands: lies ? undefined : tree.home,
                    linked: true,
                    head: tree.branch === undefined ? tree.head : undefined
                  }
                })
              })
            )
          )
      })
    )
  ).pipe(Layer.provideMerge(ReclaimJournal.layerMemory))

  const layer = Layer.mergeAll(
    Layer.succeed(Git.Git, git),
    Layer.succeed(GitChanges.GitChanges, changes),
    reclaimed,
    Layer.succeed(
      SessionStore.SessionStore,
      SessionStore.SessionStore.of({
        read: after(
          Effect.suspend(() => {
            looks.store = tick
            if (unreadable) {
              return Effect.fail(
                new SessionStore.SessionStoreError({ reason: new SessionStore.Unreadable(), path: "/" })
              )
            }
            const records = trees
              .filter(({ since }) => since.has("session"))
              .map(({ home }) => ({ id: `of ${home}`, tmuxName: "tm-x", workspacePath: home, createdAt: now }))
            const stored: SessionRecord.StoredRecords = JSON.parse(JSON.stringify({ records, undecoded: [] }))
            return Effect.succeed(stored)
          })
        )
      })
    ),
    Layer.succeed(
      ProcessTable.ProcessTable,
      ProcessTable.ProcessTable.of({
        snapshot: Effect.sync(() => ({
          _tag: "Listed" as const,
          self: { pid, user: 0 },
          bootedAt: now - 100 * day,
          processes: [
            {
              pid,
              parent: 1,
              user: 0,
              name: "node",
              executable: "/usr/bin/node",
              terminal: false,
              innerPids: [],
              state: "R",
              startTicks: "1",
              startedAt: now - day,
              args: ["node"]
            }
          ]
        })),
        uses: () =>
          after(
            Effect.sync(() => {
              looks.processes = tick
              return {
                ...PathUses.none,
                paths: trees
                  .filter(({ since }) => since.has("process"))
                  .map(({ at }) => ({ pid: 1, kind: "working directory" as const, path: at }))
              }
            })
          )
      })
    ),
    Layer.succeed(
      TmuxProbe.TmuxProbe,
      TmuxProbe.TmuxProbe.of({
        sockets: Effect.succeed([]),
        ask: () => Effect.die("never asked"),
        panes: () => Effect.die("never asked")
      })
    ),
    ClaudeSessions.layerNone,
    SidecarReader.layerNone,
    Restorations.layerNone,
    OwnerSentinel.layerMemory(new Map()),
    standing,
    NodePath.layer,
    Logger.layer([])
  )
  return {
    trees,
    wrongs,
    moved,
    layer,
    sweep: Effect.flatMap(Reclaim.survey({ repositories: [common] }), Reclaim.apply)
  }
}

describe("1,500 interleavings of two sweeps with whatever happens", () => {
  it.live(
    "nothing is moved that was in use when it was last looked at",
    () =>
      Effect.gen(function* () {
        let count = 0
        let kept = 0
        for (let seed = 0; seed < 1500; seed++) {
          const { trees, wrongs, moved, layer, sweep } = world(seed)
          yield* Effect.all([sweep, sweep], { concurrency: 2 }).pipe(Effect.provide(layer))
          assert.deepStrictEqual(wrongs, [], `seed ${seed}`)
          for (const tree of trees) {
            const isOurs = ReclaimRecord.looksOurs(tree.lock ?? "")
            // A lock that could not be given back is given back by the next sweep.
            if (tree.at !== tree.home) assert.isTrue(isOurs, `seed ${seed}`)
          }
          count += moved.length
          kept += trees.length - moved.length
        }
        assert.isAbove(count, 200)
        assert.isAbove(kept, 200)
      }),
    300_000
  )
})
