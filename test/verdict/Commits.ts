/**
 * Histories told in short: a commit does things to words. `+a1` adds the word `a1` to the file `a`, `-a1` takes it out.
 */
import * as History from "../../src/verdict/core/History.ts"
import * as Landed from "../../src/verdict/core/Landed.ts"

/** Newest first; of the parents and the reverted commits one word each. */
export type Told = readonly [id: string, parents: string, does?: string, reverts?: string]

export interface Case {
  /** The first is the newest on main. */
  readonly log: ReadonlyArray<Told>
  readonly head: string
  readonly work?: Partial<Landed.Work>
}

const words = (text: string): ReadonlyArray<string> => text.split(" ").filter((word) => word !== "")

const opposite = (word: string): string => `${word.startsWith("+") ? "-" : "+"}${word.slice(1)}`

/** What is left of everything that was done, in no order. */
const net = (done: ReadonlyArray<string>): ReadonlyArray<string> => {
  const left: Array<string> = []
  for (const word of done) {
    const at = left.indexOf(opposite(word))
    if (at === -1) left.push(word)
    else left.splice(at, 1)
  }
  return left.sort()
}

const changesOf = (does: ReadonlyArray<string>): ReadonlyArray<History.Change> =>
  [...new Set(does.map((word) => word.slice(1, 2)))].map((path) => ({ path, before: "", after: "" }))

/** What is not text has none, and `?` stands for that. */
const digestOf = (does: ReadonlyArray<string>): string | undefined =>
  does.length === 0 || does.some((word) => word.includes("?")) ? undefined : does.join(" ")

export const commitsOf = (log: ReadonlyArray<Told>): ReadonlyArray<History.Commit> =>
  log.map(([id, parents, does = "", reverts = ""]) => ({
    id,
    parents: words(parents),
    reverts: words(reverts),
    changes: changesOf(words(does))
  }))

/** A repository that answers what git would be asked. */
const repository = (log: ReadonlyArray<Told>) => {
  const told = new Map(log.map((commit) => [commit[0], commit]))
  const contained = (commit: string): ReadonlySet<string> => {
    const found = new Set([commit])
    for (const id of found) for (const parent of words(told.get(id)?.[1] ?? "")) found.add(parent)
    return found
  }
  const doneIn = (commit: string): ReadonlyArray<string> =>
    [...contained(commit)].flatMap((id) => words(told.get(id)?.[2] ?? ""))
  const diff = (from: string, to: string) => net([...doneIn(to), ...doneIn(from).map(opposite)])
  return { contained, diff, does: (commit: string) => net(words(told.get(commit)?.[2] ?? "")) }
}

/** Whether `head` has landed on main, by the answers that git would give, and of which commits on main it was asked. */
export const landed = ({ log, head, work }: Case): readonly [Landed.Landed, asked: ReadonlyArray<string>] => {
  const { contained, diff, does } = repository(log)
  const main = log[0]?.[0] ?? ""
  const [onMain, inHead] = [contained(main), contained(head)]
  const commits = commitsOf(log)
  const history = History.make(
    "main",
    commits.filter(({ id }) => onMain.has(id))
  )
  const full = { head, madeAt: "made", committed: true, agentStore: false, ...work }
  const base = commits.find(({ id }) => onMain.has(id) && inHead.has(id))?.id ?? ""
  const step = onMain.has(head)
    ? Landed.ofMerged(history, full)
    : Landed.ofApart(history, full, {
        base,
        changes: changesOf(diff(base, head)),
        differing: new Set(changesOf(diff(main, head)).map(({ path }) => path)),
        own: commits.filter(({ id }) => inHead.has(id) && !onMain.has(id))
      })
  if (step._tag !== "Compare") return [step.landed, []]
  const { own, against } = step.comparison
  const done = own.map(({ commit, to }) => (to === undefined ? does(commit) : diff(to, commit)))
  const answer = step.decide({
    own: done.map(digestOf),
    inverse: done.map((does) => digestOf(does.map(opposite).sort())),
    against: against.map((commit) => digestOf(does(commit)))
  })
  return [answer, against]
}
