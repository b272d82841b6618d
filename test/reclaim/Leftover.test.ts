import { assert, describe, it } from "@effect/vitest"
import { Leftover, ReclaimStep } from "../../src/internal.ts"
import type { JournalEntry } from "../../src/reclaim/core/JournalEntry.ts"

const entry: JournalEntry = {
  repository: { inode: "1", birth: 1 },
  commonDirectory: "/r/.git",
  tree: { inode: "2", birth: 2 },
  adminName: "a",
  record: {
    name: "T-a",
    path: "/w/a",
    branch: "refs/heads/a",
    head: "0".repeat(40),
    at: 0,
    settledOnly: false,
    priorLock: undefined
  },
  restoringSince: undefined
}
const adminDirectory = "/r/.git/worktrees/a"
const lies = "/r/.git/reclaimed/T-a"

/** One that lies reclaimed as it should, but for what is given. */
const found = (given: Partial<Leftover.Found>): Leftover.Found => ({
  entry,
  adminDirectory,
  registered: true,
  lock: "Ours",
  lies: true,
  withdrawn: undefined,
  taken: undefined,
  stands: undefined,
  linked: true,
  head: entry.record.head,
  ...given
})

/** One that stands where it was. */
const standing = (given: Partial<Leftover.Found> = {}) =>
  found({ lies: false, stands: "/w/a", head: undefined, ...given })

/** One that was being removed. */
const withdrawn = (given: Partial<Leftover.Found> = {}) =>
  found({ lies: false, withdrawn: "/r/.git/reclaimed/.removing-T-a", ...given })

const gone = (given: Partial<Leftover.Found> = {}) => found({ lies: false, linked: false, ...given })

describe("Leftover.obstacle: an entry counts only while everything agrees", () => {
  it("counts when it does", () => assert.isUndefined(Leftover.obstacle(found({}))))
  const others: Readonly<Record<string, Partial<Leftover.Found>>> = {
    "another directory lies there": { lies: false, taken: "another" },
    "nothing lies there": { lies: false },
    "its removal did not finish": { lies: false, withdrawn: "/r/.git/reclaimed/.removing-T-a" },
    "git does not know it": { registered: false },
    "it is another registration's": { taken: "another repository's" },
    "it and its registration do not name each other": { linked: false },
    "somebody else has locked it": { lock: "Other" },
    "its HEAD is elsewhere": { head: "f".repeat(40) },
    "its HEAD is on a branch": { head: "ref: refs/heads/a" }
  }
  for (const [name, given] of Object.entries(others)) {
    it(`does not when ${name}`, () => assert.isString(Leftover.obstacle(found(given))))
  }
})

/** What is done about it, without the words. */
const recovery = (given: Leftover.Found): string => {
  const found = Leftover.recovery("/r/.git", given)
  if (found._tag !== "Steps") return found._tag
  const steps = found.steps.map(({ _tag }) => _tag).join(" ")
  return `${found.path}: ${steps}${found.forget ? " and forget" : ""}`
}

describe("Leftover.recovery", () => {
  const undone = "Attach ForgetCommits ReleaseLock and forget"
  const cases: ReadonlyArray<readonly [name: string, found: Leftover.Found, recovery: string]> = [
    ["leaves alone what lies reclaimed", found({}), "Nothing"],
    ["links what lies reclaimed and git looks for elsewhere", found({ linked: false }), "/w/a: RepairLinks"],
    ["does not link what is locked by somebody else", found({ linked: false, lock: "Other" }), "Nothing"],
    ["does not link what nobody has locked", found({ linked: false, lock: "None" }), "Nothing"],
    ["does not touch what is another registration's", found({ linked: false, taken: "another's" }), "Nothing"],
    ["does not touch what git does not know", found({ registered: false }), "Nothing"],
    ["gives back what a removal that did not finish took", found({ lock: "Suspended" }), `${lies}: ResumeLock`],
    ["links it first", found({ lock: "Suspended", linked: false }), `${lies}: RepairLinks ResumeLock`],
    ["puts back what was to be removed", withdrawn(), `${lies}: Move ResumeLock`],
    ["with what a removal took", withdrawn({ lock: "Suspended" }), `${lies}: Move ResumeLock`],
    ["links it first", withdrawn({ linked: false }), `${lies}: RepairLinks Move ResumeLock`],
    ["reports it where something else lies", withdrawn({ taken: "another" }), "Report"],
    ["reports it when git does not know it", withdrawn({ registered: false }), "Report"],
    ["undoes the move of what stands where it was", standing(), `/w/a: ${undone}`],
    ["links it first where git looks for it elsewhere", standing({ linked: false }), `/w/a: RepairLinks ${undone}`],
    ["undoes it where somebody has moved it", standing({ stands: "/w/b" }), `/w/b: ${undone}`],
    [
      "does not touch the HEAD of what was never locked, or is unlocked by now",
      standing({ lock: "None" }),
      "/w/a: ForgetCommits ReleaseLock and forget"
    ],
    ["leaves to whoever has locked it since", standing({ lock: "Other" }), "Forget"],
    ["reports it where git looks for it elsewhere", standing({ lock: "Other", linked: false }), "Report"],
    ["does not touch what stands and is another's", standing({ taken: "another's" }), "Nothing"],
    ["forgets what stands and git does not know", standing({ registered: false }), "Forget"],
    ["has git forget what was removed", gone({ lock: "Suspended" }), "/w/a: Remove Remove and forget"],
    ["reports what is locked by us and nowhere", gone(), "Report"],
    ["forgets what somebody has removed", gone({ lock: "None" }), "Forget"],
    ["forgets what git does not know and is nowhere", gone({ registered: false, lock: "None" }), "Forget"],
    ["removes nothing of what git does not know", gone({ registered: false, lock: "Suspended" }), "Forget"],
    ["nor of what may be another's", gone({ taken: "another", lock: "Suspended" }), "Nothing"],
    ["keeps in mind what may be its directory", gone({ registered: false, taken: "another" }), "Nothing"]
  ]
  for (const [name, found, expected] of cases) {
    it(name, () => assert.strictEqual(recovery(found), expected))
  }

  it("names in a report the path that it is about, and says why", () => {
    for (const [found, path] of [
      [standing({ lock: "Other", linked: false }), "/w/a"],
      [withdrawn({ registered: false }), lies],
      [gone(), "/w/a"]
    ] as const) {
      const report = Leftover.recovery("/r/.git", found)
      assert.isTrue(report._tag === "Report" && report.path === path && report.reason !== "")
    }
  })

  const stepsOf = (found: Leftover.Found) => {
    const recovery = Leftover.recovery("/r/.git", found)
    return recovery._tag === "Steps" ? recovery.steps : []
  }
  const at = "/r/.git/reclaimed/.removing-T-a"
  const resume: ReclaimStep.ReclaimStep = { _tag: "ResumeLock", adminDirectory, worktree: lies }

  it("attaches HEAD where the worktree stands", () => {
    assert.deepStrictEqual(
      stepsOf(standing({ stands: "/w/b" })),
      ReclaimStep.undo(entry.record, adminDirectory, "/w/b")
    )
  })

  it("releases what was never locked all the same, where a lock of ours may follow", () => {
    assert.deepStrictEqual(stepsOf(standing({ lock: "None" })), [
      { _tag: "ForgetCommits", name: "T-a" },
      ReclaimStep.release(entry.record, adminDirectory)
    ])
  })

  it("links a tree where it is, and moves it from there to where it lay", () => {
    assert.deepStrictEqual(stepsOf(withdrawn({ linked: false })), [
      { _tag: "RepairLinks", adminDirectory, worktree: at },
      { _tag: "Move", from: at, to: lies },
      resume
    ])
    assert.deepStrictEqual(stepsOf(found({ lock: "Suspended", linked: false })), [
      { _tag: "RepairLinks", adminDirectory, worktree: lies },
      resume
    ])
    assert.deepStrictEqual(stepsOf(standing({ stands: "/w/b", linked: false }))[0], {
      _tag: "RepairLinks",
      adminDirectory,
      worktree: "/w/b"
    })
  })

  it("finishes a removal at both places where the tree may have lain", () => {
    assert.deepStrictEqual(stepsOf(gone({ lock: "Suspended" })), [
      { _tag: "Remove", path: at },
      { _tag: "Remove", path: lies }
    ])
  })
})
