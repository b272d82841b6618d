/**
 * Surveys real worktrees through the real services. Only the boot of the machine is set back, because a machine that
 * runs tests has often been started minutes ago, and the table of processes is cut down to what a test is about, because
 * other tests run tmux servers and programs at the same time.
 */
import { NodeFileSystem, NodeServices } from "@effect/platform-node"
import { Effect, type FileSystem, Layer, Logger } from "effect"
import {
  ClaudeSessions,
  Git,
  type GitFacts,
  type GitList,
  GitChanges,
  ReclaimedTrees,
  ReclaimJournal,
  OwnerSentinel,
  ProcessTable,
  Reclaim,
  type ReclaimPlan,
  SessionStore,
  TmuxProbe
} from "../../src/internal.ts"
import { isListening } from "../../src/node/isListening.ts"
import { layerSidecar } from "../../src/node/Sidecar.ts"
import { layerNativePaths } from "../../src/node/NativePaths.ts"
import { layerClosing } from "../../src/node/ClosingSpawner.ts"
import * as ProcTable from "../../src/machine/ProcTable.ts"
import * as RestorationsJournal from "../../src/reclaim/RestorationsJournal.ts"
import * as Repo from "./Repo.ts"

export interface Options {
  /** Where tmux sockets and the manager's files would lie; there need not be any. */
  readonly root: string
  /** `own` unless given: this process, its descendants and `own`. `raw` is every process of the machine. */
  readonly table?: "own" | "raw" | undefined
  readonly own?: ReadonlyArray<number> | undefined
  /** The environment that the caller of the survey runs in. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  readonly store?: Layer.Layer<SessionStore.SessionStore> | undefined
  readonly configDirectories?: ReadonlyArray<string> | undefined
  /** What the file system below the process table, the registry and the sentinels is. */
  readonly fileSystem?: Layer.Layer<FileSystem.FileSystem> | undefined
  readonly user?: number | undefined
  readonly vantage?: "host" | "here" | undefined
}

export const user = process.geteuid?.() ?? -1

const longAgo = Date.now() - 400 * Repo.day

const tableOf = (options: Options) =>
  Layer.effect(
    ProcessTable.ProcessTable,
    Effect.map(ProcessTable.ProcessTable, (table) =>
      ProcessTable.ProcessTable.of({
        ...table,
        servers: undefined,
        snapshot: Effect.map(table.snapshot, (look) => {
          if (look._tag === "NotConsulted") return look
          const own = new Set(options.own)
          const parents = new Map(look.processes.map(({ pid, parent }) => [pid, parent]))
          const isOwn = (pid: number | undefined, depth = 0): boolean =>
            pid !== undefined &&
            depth < parents.size &&
            (pid === process.pid || own.has(pid) || isOwn(parents.get(pid), depth + 1))
          return {
            ...look,
            bootedAt: longAgo,
            processes: options.table === "raw" ? look.processes : look.processes.filter(({ pid }) => isOwn(pid))
          }
        })
      })
    )
  ).pipe(
    Layer.provide(ProcTable.layer({ self: { pid: process.pid, user: options.user ?? user }, vantage: options.vantage }))
  )

/** Everything that a survey needs. */
export const layer = (options: Options) => {
  const env = { ...Repo.environment, TMUX_TMPDIR: options.root, ...options.env }
  const fileSystem = options.fileSystem ?? layerNativePaths.pipe(Layer.provide(NodeFileSystem.layer))
  return Layer.mergeAll(
    layerSidecar({ root: options.root }),
    options.store ?? SessionStore.layerNone,
    TmuxProbe.layer({ root: options.root, env, platform: process.platform, user, vantage: "here", isListening }).pipe(
      Layer.provide(layerClosing)
    ),
    ClaudeSessions.layer({ configDirectories: options.configDirectories ?? [] }).pipe(Layer.provide(fileSystem)),
    OwnerSentinel.layer.pipe(Layer.provide(fileSystem)),
    Git.layer({ env, platform: process.platform }).pipe(Layer.provide(fileSystem)),
    GitChanges.layer({ env, platform: process.platform, user }).pipe(Layer.provide(fileSystem)),
    Layer.provideMerge(
      Layer.merge(ReclaimedTrees.layer({ user }), RestorationsJournal.layer),
      ReclaimJournal.layer({ directory: `${options.root}/state/session-liveness`, user })
    ).pipe(Layer.provide(fileSystem)),
    tableOf(options).pipe(Layer.provide(fileSystem)),
    Logger.layer([])
  ).pipe(Layer.provideMerge(layerNativePaths), Layer.provideMerge(NodeServices.layer))
}

/** What git says against moving a worktree away. */
export const inspect = (
  git: Git.Git["Service"],
  repository: Git.Repository,
  worktree: GitList.Worktree
): Effect.Effect<GitFacts.GitFacts, Git.GitError> =>
  Effect.flatMap(git.files(repository, worktree, {}), (files) => git.inspect(repository, worktree, files, {}))

/** Surveys repositories, or one; every gate is asked. */
export const survey = (
  repositories: string | ReadonlyArray<string>,
  { settings, ...options }: Options & { readonly settings?: Partial<Reclaim.Options> | undefined }
): Effect.Effect<ReclaimPlan.Plan> =>
  Reclaim.survey({
    everything: true,
    ...settings,
    repositories: typeof repositories === "string" ? [repositories] : repositories
  }).pipe(Effect.provide(layer(options)))

/** A verdict as one line: `Permit`, or the gate that refuses and why. */
export const line = ({ verdict }: ReclaimPlan.Candidate): string =>
  verdict._tag === "Permit" ? "Permit" : `${verdict.gate}: ${verdict.reason}`

/** What one gate says by itself, whatever the gates before it said. */
export const gate = (candidate: ReclaimPlan.Candidate | undefined, name: string): string | undefined =>
  candidate?.gates.find((step) => step.gate === name)?.refusal

/** The candidate at a path. */
export const at = (plan: ReclaimPlan.Plan, path: string): ReclaimPlan.Candidate => {
  const found = plan.candidates.find((candidate) => candidate.path === path)
  if (found === undefined) throw new Error(`${path} is no candidate: ${JSON.stringify(plan)}`)
  return found
}

/**
 * Verdict lines beside what was expected of each: `Permit`, or a gate and words of its refusal. An expectation that
 * holds is shown as itself, so that the difference of the two objects tells what went wrong.
 */
export const compare = (
  plan: ReclaimPlan.Plan,
  expected: ReadonlyArray<readonly [name: string, path: string, expect: string]>
): readonly [actual: Readonly<Record<string, string>>, expected: Readonly<Record<string, string>>] => [
  Object.fromEntries(
    expected.map(([name, path, expect]) => {
      const candidate = plan.candidates.find((found) => found.path === path)
      if (candidate === undefined) return [name, "no candidate"]
      const [, gateName = "", reason = ""] = /^(\w+): ([^]*)$/.exec(expect) ?? []
      const holds =
        expect === "Permit"
          ? candidate.verdict._tag === "Permit"
          : candidate.verdict._tag === "Refuse" && gate(candidate, gateName)?.includes(reason) === true
      return [name, holds ? expect : [line(candidate), gate(candidate, gateName)].join(" | ")]
    })
  ),
  Object.fromEntries(expected.map(([name, , expect]) => [name, expect]))
]
