/**
 * What worktrees take on the disk, and how much of it a tool makes again.
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Bound from "../shared/Bound.ts"
import * as Known from "../shared/core/Known.ts"
import * as FailOpen from "../shared/FailOpen.ts"
import * as DiskUsage from "../verdict/core/DiskUsage.ts"
import type * as Regenerable from "../verdict/core/Regenerable.ts"
import { Git, type Repository } from "../verdict/Git.ts"
import type { GitError } from "../verdict/GitCommand.ts"
import * as IgnoredPaths from "../verdict/IgnoredPaths.ts"

/**
 * One worktree: a candidate of a plan, or one that lies reclaimed.
 */
export interface Tree {
  /** The repository's common git directory. */
  readonly repository: string
  readonly path: string
  /** What a survey was told of it by git, if anything; else git is asked. */
  readonly ignored?: ReadonlyArray<string> | undefined
  readonly untracked?: ReadonlyArray<string> | undefined
}

export interface Size extends Pick<Tree, "repository" | "path"> {
  readonly measured: Known.Known<IgnoredPaths.Measured>
}

/**
 * In the order of the trees that were given. A file that several trees have names of counts once in the sum.
 */
export interface Sizes {
  readonly trees: ReadonlyArray<Size>
  readonly total: DiskUsage.DiskUsage
}

export interface MeasureOptions extends Regenerable.Settings {
  readonly trees: ReadonlyArray<Tree>
  /** Is given each tree as it has been measured. */
  readonly onMeasured?: ((size: Size) => Effect.Effect<void>) | undefined
}

/**
 * Measures one tree after another: allocated bytes, links not followed, other file systems not entered. Ends within
 * `Bound.Sizes`; the sizes of the trees that were not reached by then are unknown. Where git cannot say what is ignored
 * nothing counts as regenerable.
 */
export const measure = (options: MeasureOptions): Effect.Effect<Sizes, never, Git | FileSystem.FileSystem> => {
  const total = DiskUsage.tally()
  const sizes: Array<Size> = []
  const unmeasured = (reason: string): Sizes => ({
    trees: options.trees.map(
      (tree, index) => sizes[index] ?? { repository: tree.repository, path: tree.path, measured: Known.unknown(reason) }
    ),
    total: total.usage()
  })
  return Effect.gen(function* () {
    const git = yield* Git
    const repositories = new Map<string, Effect.Effect<Repository, GitError>>()
    for (const { repository } of options.trees) {
      if (!repositories.has(repository)) {
        repositories.set(repository, yield* Effect.cached(git.repository(repository)))
      }
    }
    for (const tree of options.trees) {
      const known = repositories.get(tree.repository) ?? git.repository(tree.repository)
      const size = sizeOf(tree, yield* measureOne(tree, known, options, total))
      sizes.push(size)
      if (options.onMeasured !== undefined) yield* options.onMeasured(size)
    }
    return { trees: sizes, total: total.usage() }
  }).pipe(
    FailOpen.foldsTo({ program: "Reclaim.measure", bound: Bound.Sizes, safe: unmeasured }),
    Effect.withSpan("Reclaim.measure", { attributes: { trees: options.trees.length } })
  )
}

const sizeOf = ({ repository, path }: Tree, measured: Size["measured"]): Size => ({ repository, path, measured })

const measureOne = Effect.fnUntraced(function* (
  { path, ignored, untracked }: Tree,
  repository: Effect.Effect<Repository, GitError>,
  settings: Regenerable.Settings,
  total: DiskUsage.Tally
) {
  const fs = yield* FileSystem.FileSystem
  const git = yield* Git
  const regenerable = yield* Effect.gen(function* () {
    const known = yield* repository
    const worktree = known.worktrees.find((each) => each.path === path)
    if (worktree === undefined) return []
    const beside = ignored === undefined || untracked === undefined ? undefined : { ignored, untracked }
    const content = yield* git.content(known, worktree, beside)
    return (yield* IgnoredPaths.divide(fs, path, content, settings)).regenerable
  }).pipe(Effect.orElseSucceed(() => []))
  return yield* IgnoredPaths.measure(fs, path, regenerable, settings, total).pipe(
    Effect.match({ onSuccess: Known.known, onFailure: (cause) => Known.unknown(cause.message) })
  )
})
