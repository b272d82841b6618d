/**
 * What git tells of the worktrees of a world.
 */
import type * as FakeGit from "../FakeGit.ts"
import * as SlimWorld from "./SlimWorld.ts"
import * as SweepPlaces from "./SweepPlaces.ts"
import * as SweepProcesses from "./SweepProcesses.ts"
import * as SweepTime from "./SweepTime.ts"
import type * as SweepWorld from "./SweepWorld.ts"

/**
 * The repositories of a world and what git tells of their worktrees.
 */
export const toGit = (world: SweepWorld.SweepWorld): ReadonlyArray<FakeGit.Repository> =>
  world.repositories.map((state, index) => ({
    path: SweepPlaces.repositoryPaths[index] ?? "/w/r",
    commonDirectory: SweepPlaces.commonDirectory(index),
    listed: state === "Listed",
    worktrees: world.worktrees
      .filter(({ repository }) => repository === index)
      .map((worktree) => toWorktree(world, worktree))
  }))

const toWorktree = (world: SweepWorld.SweepWorld, worktree: SweepWorld.Worktree): FakeGit.Worktree => {
  const { path, obstacle, active, owner, specimens = [] } = worktree
  const branch = `refs/heads/${path.slice(path.lastIndexOf("/") + 1)}`
  return {
    path,
    branch,
    head: headOf(worktree),
    locked: worktree.lock === undefined ? undefined : lockReason(world, worktree.lock),
    adminDirectory: adminDirectory(worktree),
    content: SlimWorld.contentOf(specimens),
    facts: !isReadable(worktree)
      ? undefined
      : {
          files: {
            identity: `1:${path}`,
            isBesideRepository: obstacle !== "Immovable",
            mounts: [...(obstacle === "Mounts" ? [`${path}/mnt`] : []), ...SlimWorld.mountsOf(path, specimens)],
            repositories: obstacle === "Nested" ? [`${path}/clone`] : [],
            signs: [
              active === undefined
                ? { _tag: "Unknown", reason: "the HEAD log tells no time" }
                : { _tag: "Known", value: { what: "the HEAD log", at: SweepTime.at(active) } }
            ],
            headLog: { madeAt: undefined, commits: true },
            owner: owner === undefined ? undefined : owner === "Ours" ? SweepProcesses.user : SweepProcesses.user + 1,
            fileSystem: worktree.fileSystem
          },
          git: {
            longLived: obstacle === "LongLived",
            nested: [...inside(world, worktree), ...(obstacle === "Nested" ? [`${path}/clone`] : [])],
            mounts: [...(obstacle === "Mounts" ? [`${path}/mnt`] : []), ...SlimWorld.mountsOf(path, specimens)],
            immovable: obstacle === "Immovable" ? "it is on another device than its repository" : undefined,
            ledTo: obstacle === "LedTo" ? ["/w/s/shared"] : [],
            submodules: obstacle === "Submodules",
            dirty: obstacle === "Dirty" ? [" M changed.ts"] : obstacle === "Untracked" ? ["?? notes.md"] : [],
            harmless: [],
            flagged: obstacle === "Flagged" ? [{ path: "hidden.ts", flag: "assume-unchanged" }] : [],
            operation: obstacle === "Operation" ? "rebase" : undefined,
            indexLock: obstacle === "IndexLock",
            headContained: worktree.head !== "Nowhere",
            ignored: worktree.ignored ? ["__pycache__/"] : [],
            ignoredWrite: obstacle === "IgnoredWrite" ? { path: "data.sqlite", at: SweepTime.now } : undefined
          },
          landed:
            worktree.head === "Landed"
              ? { _tag: "Landed", into: "main", how: "it was merged" }
              : { _tag: "NotLanded", why: "1 commit of it is not in main", commits: 1, isReverted: false }
        }
  }
}

/** A commit of its own. */
const headOf = ({ path }: SweepWorld.Worktree): string =>
  Array.from(path, (character) => character.charCodeAt(0).toString(16))
    .join("")
    .padStart(40, "0")
    .slice(-40)

const lockReason = (world: SweepWorld.SweepWorld, lock: SweepWorld.Lock): string => {
  if (lock._tag === "Person") return "keep this"
  const process = world.processes.find(({ pid }) => pid === lock.pid)
  const ticks = SweepProcesses.ticksOf(
    process === undefined ? SweepTime.at("overWeek") : SweepProcesses.startedAt(process)
  )
  const start = { Ticks: ` start ${ticks}`, OtherTicks: ` start ${ticks}1`, None: "" }[lock.start]
  return `claude agent worker (pid ${lock.pid}${start})`
}

/** Whether git can tell anything of a worktree. It tells nothing of one whose own path is a link. */
export const isReadable = ({ readable, path }: SweepWorld.Worktree): boolean => readable && !(path in SweepPlaces.links)

/** The worktrees, of whatever repository, that lie inside another one. */
export const inside = ({ worktrees }: SweepWorld.SweepWorld, around: SweepWorld.Worktree): ReadonlyArray<string> =>
  worktrees
    .map(({ path }) => path)
    .filter(
      (path) =>
        path.startsWith(`${around.path}/`) ||
        SweepPlaces.truePath(path).startsWith(`${SweepPlaces.truePath(around.path)}/`)
    )

/** Where git keeps what it knows of the worktree. */
export const adminDirectory = ({ repository, path }: SweepWorld.Worktree): string =>
  `${SweepPlaces.commonDirectory(repository)}/worktrees/${path.replaceAll(/[^A-Za-z0-9]/g, "-")}`
