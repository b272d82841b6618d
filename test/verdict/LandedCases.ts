/**
 * What has landed and what has not, as histories.
 */
import type { Case, Told } from "./Commits.ts"

export type Answer = "Landed" | "NotLanded" | "Reverted"

type Row = Case & { readonly is: Answer; readonly commits?: number }

const made: Told = ["made", ""]
const one: Told = ["w1", "made", "+a1"]
const two: Told = ["w2", "w1", "+b1"]
/** Another's work. */
const other: Told = ["m1", "made", "+z1"]
const merge: Told = ["merge", "m1 w2"]
const merged: ReadonlyArray<Told> = [merge, two, one, other, made]

/** Two commits in a worktree, and what main did of its own. */
const apart = (...main: ReadonlyArray<Told>): Case => ({ log: [...main, other, two, one, made], head: "w2" })

/** Many commits in a worktree, each of which main has picked, and then went on in the same files. */
const many = (count: number): Case => {
  const chain = (prefix: string, from: string): ReadonlyArray<Told> =>
    Array.from({ length: count }, (_, index): Told => {
      const before = index === 0 ? from : `${prefix}${index - 1}`
      return [`${prefix}${index}`, before, `+a${String(index).padStart(2, "0")}`]
    }).toReversed()
  return {
    log: [["on", `p${count - 1}`, "+aX"], ...chain("p", "made"), ...chain("w", "made"), made],
    head: `w${count - 1}`
  }
}

export const cases: Readonly<Record<string, Row>> = {
  "main was forwarded to it": { log: [two, one, made], head: "w2", is: "Landed" },
  "it was merged": { log: merged, head: "w2", is: "Landed" },
  "it was merged into a branch that was merged": {
    log: [["outer", "m1 inner"], ["inner", "x1 w2"], ["x1", "made", "+y1"], two, one, other, made],
    head: "w2",
    is: "Landed"
  },
  "nothing was committed in it": {
    log: merged,
    head: "made",
    work: { committed: false },
    is: "NotLanded",
    commits: 0
  },
  "nothing was committed in it, and it was moved on": {
    log: merged,
    head: "m1",
    work: { committed: false },
    is: "NotLanded",
    commits: 0
  },
  "it is back where it was made": { log: merged, head: "made", is: "NotLanded", commits: 0 },
  "nothing was committed in it, where agents work": {
    log: merged,
    head: "made",
    work: { committed: false, agentStore: true },
    is: "Landed"
  },
  "it is older than what is looked through": {
    log: [
      ...Array.from({ length: 2001 }, (_, index): Told => [`m${index}`, `m${index + 1}`]),
      ["m2001", "w1"],
      one,
      made
    ],
    head: "w1",
    is: "NotLanded",
    commits: 0
  },
  "a revert names the merge": {
    log: [["m3", "merge", "-c1", "merge"], ...merged],
    head: "w2",
    is: "Reverted",
    commits: 0
  },
  "a revert names a commit, cut short": {
    log: [["m3", "whole", "-c1", "who"], ["whole", "w1", "+b1"], one, made],
    head: "whole",
    is: "Reverted",
    commits: 0
  },
  "a revert names a longer name than its own": {
    log: [["m3", "w1", "-c1", "w1x"], one, made],
    head: "w1",
    is: "Landed"
  },
  "a revert names the commit of somebody else": {
    log: [["m3", "merge", "-z1", "m1"], ...merged],
    head: "w2",
    is: "Landed"
  },
  "a revert names what it was made at": {
    log: [["m3", "w1", "-c1", "made"], one, made],
    head: "w1",
    is: "Landed"
  },
  "a revert says nothing, of one commit": {
    log: [["c0ffee".repeat(7), "merge", "-b1"], ...merged],
    head: "w2",
    is: "Reverted",
    commits: 0
  },
  "a revert says nothing, of the merge": {
    log: [["m4", "m3", "+z2"], ["m3", "merge", "-a1 -b1"], ...merged],
    head: "w2",
    is: "Reverted",
    commits: 0
  },
  "a revert says nothing, after another change of the same file": {
    log: [["m4", "m3", "-b1"], ["m3", "merge", "+b2"], ...merged],
    head: "w2",
    is: "Reverted",
    commits: 0
  },
  "main went on in what is no text": {
    log: [["m3", "merge", "+a?"], ["merge", "m1 w1"], ["w1", "made", "+a??"], other, made],
    head: "w1",
    is: "Landed"
  },
  "main went on in the same files": { log: [["m3", "merge", "+a2 +b2"], ...merged], head: "w2", is: "Landed" },
  "it holds empty commits alone, and so does main": {
    log: [["m3", "merge"], ["merge", "m1 w1"], ["w1", "made"], other, made],
    head: "w1",
    is: "Landed"
  },

  "it was squashed": { ...apart(["m2", "m1", "+a1 +b1"]), is: "Landed" },
  "it was squashed, and main went on": { ...apart(["m3", "m2", "+a2"], ["m2", "m1", "+a1 +b1"]), is: "Landed" },
  "it was picked": { ...apart(["p2", "p1", "+b1"], ["p1", "m1", "+a1"]), is: "Landed" },
  "it was picked, and main went on": {
    ...apart(["m2", "p2", "+a2 +b2"], ["p2", "p1", "+b1"], ["p1", "m1", "+a1"]),
    is: "Landed"
  },
  "half of it was picked": { ...apart(["p1", "m1", "+a1"]), is: "NotLanded", commits: 2 },
  "half of it was picked twice": {
    ...apart(["p2", "p1", "+a1"], ["p1", "m1", "+a1"]),
    is: "NotLanded",
    commits: 2
  },
  "main has nothing of it": { ...apart(), is: "NotLanded", commits: 2 },
  "main has another change of what is no text": {
    log: [["m2", "made", "+a? +b1"], ["w2", "w1", "+b1"], ["w1", "made", "+a??"], made],
    head: "w2",
    is: "NotLanded",
    commits: 2
  },
  "main has another change of the same files": { ...apart(["m2", "m1", "+a2 +b2"]), is: "NotLanded", commits: 2 },
  "main had it before it was made": {
    log: [["m1", "made", "+z1"], one, ["made", "m0"], ["m0", "", "+a1"]],
    head: "w1",
    is: "NotLanded",
    commits: 1
  },
  "it did one thing twice, and main once": {
    log: [["m2", "m1", "+a2"], ["m1", "made", "+a1"], ["w2", "w1", "+a1"], one, made],
    head: "w2",
    is: "NotLanded",
    commits: 2
  },
  "it did one thing twice, and so did main": {
    log: [["m3", "m2", "+a2"], ["m2", "m1", "+a1"], ["m1", "made", "+a1"], ["w2", "w1", "+a1"], one, made],
    head: "w2",
    is: "Landed"
  },
  "it was picked but for an empty commit, and main went on": {
    log: [
      ["m3", "m2", "+a2 +b2"],
      ["m2", "m1", "+b1"],
      ["m1", "made", "+a1"],
      ["w3", "w2", "+b1"],
      ["w2", "w1"],
      one,
      made
    ],
    head: "w3",
    is: "Landed"
  },
  "it is one empty commit": { log: [other, ["w1", "made"], made], head: "w1", is: "NotLanded", commits: 1 },
  "it is one empty commit, and main has one too": {
    log: [["m1", "made"], ["w1", "made"], made],
    head: "w1",
    is: "NotLanded",
    commits: 1
  },
  "it took back what it did": { log: [other, ["w2", "w1", "-a1"], one, made], head: "w2", is: "NotLanded", commits: 2 },
  "it merged main, and was squashed": {
    log: [["m3", "m2", "+a2"], ["m2", "m1", "+a1 +b1"], ["w3", "w2", "+b1"], ["w2", "w1 m1"], one, other, made],
    head: "w3",
    is: "Landed"
  },
  "it merged main, and its other commits were picked": {
    log: [
      ["m3", "p2", "+a2"],
      ["p2", "p1", "+b1"],
      ["p1", "m1", "+a1"],
      ["w3", "w2", "+b1"],
      ["w2", "w1 m1"],
      one,
      other,
      made
    ],
    head: "w3",
    is: "NotLanded",
    commits: 3
  },
  "so many commits that none is looked for by itself": { ...many(50), is: "NotLanded", commits: 50 },
  "as many as are looked for": { ...many(49), is: "Landed" },
  "it was squashed, and a revert names the commit of somebody else": {
    ...apart(["m3", "m2", "+a2 -z1", "m1"], ["m2", "m1", "+a1 +b1"]),
    is: "Landed"
  },
  "it was squashed, taken out, and changed since": {
    ...apart(["m4", "m3", "+b2"], ["m3", "m2", "-a1 -b1"], ["m2", "m1", "+a1 +b1"]),
    is: "Reverted",
    commits: 2
  },
  "it was squashed, and a revert names the squash": {
    ...apart(["m4", "m3", "+a2", "m2"], ["m3", "m2", "+b2"], ["m2", "m1", "+a1 +b1"]),
    is: "Reverted",
    commits: 2
  },
  "it was picked, and a revert names one of these": {
    ...apart(["m2", "p2", "+a2 +b2", "p1"], ["p2", "p1", "+b1"], ["p1", "m1", "+a1"]),
    is: "Reverted",
    commits: 2
  },
  "it was picked, and one of these is taken out": {
    ...apart(["m2", "p2", "-a1"], ["p2", "p1", "+b1"], ["p1", "m1", "+a1"]),
    is: "Reverted",
    commits: 2
  },
  "it was picked, and a revert names one of its own": {
    ...apart(["m2", "p2", "+a2 +b2", "w1"], ["p2", "p1", "+b1"], ["p1", "m1", "+a1"]),
    is: "Reverted",
    commits: 2
  },
  "main has more than is looked through, and nothing of it": {
    log: [
      ...Array.from({ length: 2001 }, (_, index): Told => [`m${index}`, index === 2000 ? "made" : `m${index + 1}`]),
      one,
      made
    ],
    head: "w1",
    is: "NotLanded",
    commits: 1
  }
}
