/**
 * Mistakes that only real git shows, each as one change of the source, and the test that each breaks.
 */
export interface Mutant {
  readonly rule: string
  readonly mistake: string
  /** Below `src`. */
  readonly file: string
  /** Stands in the file exactly once. */
  readonly find: string
  readonly replace: string
  /** Below `test/reclaim`. */
  readonly test: string
  /** A part of the test's name. */
  readonly breaks: string
}

const reports = "Reports.real.long.test.ts"
const late = "Late.real.long.test.ts"

export const all: ReadonlyArray<Mutant> = [
  {
    rule: "nothing is left at the old path",
    mistake: "a move leaves a note there",
    file: "reclaim/steps/Move.ts",
    find: "    if (yield* isAt(step.to)) return []",
    replace:
      "    if (yield* isAt(step.to)) return yield* Effect.as(worded(fs.writeFileString(step.from, step.to)), [])",
    test: reports,
    breaks: "every file of the common directory"
  },
  {
    rule: "nothing is left at the old path",
    mistake: "its branch stays checked out",
    file: "reclaim/core/ReclaimStep.ts",
    find: '  { _tag: "Detach", adminDirectory, head: record.head },\n',
    replace: "",
    test: reports,
    breaks: "the path and the branch are free at once"
  },
  {
    rule: "a repository's files are a stranger's words",
    mistake: "a link passes for a directory of ours",
    file: "reclaim/OwnDirectory.ts",
    find: "  fs.lstat(path).pipe(\n    Effect.matchEffect({",
    replace: "  fs.stat(path).pipe(\n    Effect.matchEffect({",
    test: reports,
    breaks: "a link in the place of reclaimed is not followed"
  },
  {
    rule: "a repository's files are a stranger's words",
    mistake: "whatever lies where a tree was reclaimed to is that tree",
    file: "reclaim/ReclaimedTrees.ts",
    find: "const lies = isSame(entry.tree, lying)",
    replace: "const lies = lying !== undefined",
    test: late,
    breaks: "something else that stands there"
  },
  {
    rule: "commits",
    mistake: "a ref goes whatever else keeps its commits",
    file: "reclaim/steps/ForgetCommits.ts",
    find: 'return left === ""',
    replace: "return left !== undefined",
    test: reports,
    breaks: "restoring drops no ref that is the last"
  },
  {
    rule: "commits",
    mistake: "a remote branch keeps a commit",
    file: "reclaim/steps/ForgetCommits.ts",
    find: '      "--exclude=refs/remotes/*",\n',
    replace: "",
    test: reports,
    breaks: "none is lost in any order"
  },
  {
    rule: "commits",
    mistake: "refs that a fetch prunes keep commits",
    file: "verdict/OldRemotes.ts",
    find: "if (name === undefined) return undefined",
    replace: "if (name !== null) return undefined",
    test: reports,
    breaks: "a remote of the old kind"
  },
  {
    rule: "success means success",
    mistake: "wherever git has moved it to will do",
    file: "reclaim/steps/Move.ts",
    find: "    if (yield* isAt(step.to)) return []",
    replace: "    return []",
    test: late,
    breaks: "is not said to be put back"
  },
  {
    rule: "success means success",
    mistake: "what was not put back is said to be",
    file: "reclaim/Restore.ts",
    find: "  yield* recoverAfter(repository, restoring)\n",
    replace: "  if (restored !== undefined) return ReclaimOutcome.Restored({ path: to, from, notes: [] })\n",
    test: late,
    breaks: "is not said to be put back"
  },
  {
    rule: "everything but a move is bounded",
    mistake: "git is asked before a look at what it reads",
    file: "verdict/AdminFiles.ts",
    find: '["HEAD", "commondir", "gitdir", "locked"]',
    replace: "[]",
    test: reports,
    breaks: "a FIFO for one/locked"
  },
  {
    rule: "everything but a move is bounded",
    mistake: "any file of an admin directory is read",
    file: "verdict/AdminFiles.ts",
    find: 'info.type === "Directory" || (',
    replace: 'info.type !== "File" || (',
    test: reports,
    breaks: "a FIFO for ORIG_HEAD"
  },
  {
    rule: "guard",
    mistake: "a guard of another host is judged by the processes here",
    file: "reclaim/core/SweepGuard.ts",
    find: "guard.host === null || guard.host !== own.host || ",
    replace: "",
    test: reports,
    breaks: "another host's"
  },
  {
    rule: "an expiry looks once more",
    mistake: "it looks before it is out of reach alone",
    file: "reclaim/Expire.ts",
    find: "Effect.andThen(restore(look))",
    replace: "Effect.andThen(look === undefined ? restore(look) : Effect.undefined)",
    test: late,
    breaks: "an ignored file, just before it is out of reach"
  },
  {
    rule: "an expiry looks once more",
    mistake: "it is removed where anybody finds it",
    file: "reclaim/core/ReclaimStep.ts",
    find: "/.removing-${name}`",
    replace: "/${name}`",
    test: late,
    breaks: "just before git removes it: nobody finds"
  }
]
