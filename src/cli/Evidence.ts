/**
 * The chain of evidence on one worktree.
 */
import { Duration } from "effect"
import { Quiet, Refusal, SessionEnd, Text, type Verdict } from "../internal.ts"
import * as Advice from "./Advice.ts"
import * as Candidates from "./Candidates.ts"
import * as Paths from "./Paths.ts"
import * as Screen from "./Screen.ts"
import * as Table from "./Table.ts"

type Candidate = Candidates.Candidate

/** The evidence in lines that fit the terminal. `quiet` is how long it must have been quiet, if a person said so. */
export const lines = (candidate: Candidate, quiet: number | undefined): ReadonlyArray<string> => {
  const { path, repository, verdict, gates, head } = candidate
  const fact = (name: string, value: string) =>
    `  ${name.padEnd(nameWidth)}${Table.wrap(value, Screen.width, nameWidth + 2)}`
  return [
    Screen.bold(Paths.shown(path)),
    "",
    fact("repository", Paths.shown(repository)),
    fact("branch", `${Candidates.branchOf(candidate.branch, head)}, at ${head?.slice(0, 12) ?? "no commit"}`),
    fact("quiet", quietText(candidate)),
    ...candidate.signs.map((sign, index) => fact(index === 0 ? "signs" : "", signText(sign))),
    ...endsOf(candidate).map((end) => fact("session", end)),
    "",
    ...gates.map((step) => {
      const mark = step.refusal === undefined ? "✓" : "✗"
      const text = step.refusal === undefined ? passed(candidate, step.gate, quiet) : refusalOf(step, step.refusal)
      return fact(`${mark} ${step.gate}`, text)
    }),
    "",
    ...(verdict._tag === "Permit"
      ? ["Every gate permits: it may go.", ...verdict.notes.map((note) => fact("note", Screen.printable(note)))]
      : [`It stays, because of the gate ${verdict.gate}${more(candidate, verdict.gate)}.`])
  ]
}

const nameWidth = 12

/** The evidence as data. */
export const json = (candidate: Candidate) => ({
  ...Candidates.facts(candidate),
  signs: candidate.signs.map((sign) =>
    sign._tag === "Unknown"
      ? { unknown: sign.reason }
      : { what: sign.value.what, at: new Date(sign.value.at).toISOString() }
  ),
  gates: candidate.gates.map(({ gate, refusal, unknown, passesAt, advice }) => ({
    gate,
    permits: refusal === undefined,
    refusal: refusal ?? null,
    unknown,
    ...Candidates.settling({ passesAt, advice })
  }))
})

/** The advice to explain is left out: this is the explanation. */
const refusalOf = ({ unknown, advice }: Verdict.Step, refusal: string): string =>
  `${Screen.printable(refusal)}${unknown ? " (this is unknown)" : ""}${
    Advice.isExplain(advice ?? "") ? "" : Screen.printable(Advice.after(advice))
  }`

const more = ({ gates }: Candidate, first: Verdict.Gate): string => {
  const others = gates.filter(({ gate, refusal }) => refusal !== undefined && gate !== first).map(({ gate }) => gate)
  return others.length === 0 ? "" : `; behind it, ${others.join(", ")} would refuse too`
}

/** A sign of work, by its time. */
const signText = (sign: Candidate["signs"][number]): string =>
  sign._tag === "Unknown"
    ? `unknown: ${Screen.printable(sign.reason)}`
    : `${Refusal.past(sign.value.at)} ${Screen.printable(sign.value.what)}`

const quietText = ({ quietForMs, lastSign }: Candidate): string => {
  if (lastSign._tag === "Unknown") return `it is not known for how long: ${Screen.printable(lastSign.reason)}`
  const since = Screen.printable(lastSign.value.what)
  return quietForMs === null ? `its last sign of work, ${since}, lies ahead` : `for ${span(quietForMs)}, since ${since}`
}

/** To the minute: nobody acts on less. */
const span = (ms: number): string =>
  ms < minute ? "less than a minute" : Duration.format(Duration.millis(Math.floor(ms / minute) * minute))

const minute = 60_000

const endsOf = ({ ends }: Candidate): ReadonlyArray<string> =>
  ends.length === 0
    ? []
    : ends.map(
        ([session, end]) =>
          `${Text.escape(session)} ${SessionEnd.$match(end, {
            Ended: ({ why }) => `has ended: ${Screen.printable(why)}`,
            Live: ({ why }) => `is live: ${Screen.printable(why)}`,
            Caller: () => "is the caller",
            Undeterminable: ({ reason }) => `may be live: ${Screen.printable(reason)}`
          })}`
      )

/** What a gate that permits has found. */
const passed = (
  { ends, restsOnSettled, landed, quietForMs }: Candidate,
  gate: Verdict.Gate,
  quiet = Quiet.day
): string => {
  switch (gate) {
    case "Claim":
      return "no live session has its workspace on it or inside it"
    case "Owner":
      return ends.length === 0
        ? "no session is named as its owner"
        : "no session owns it, or the one that does has ended or is the caller"
    case "Quiet":
      return `it has been quiet for ${quietForMs === null ? "long enough" : span(quietForMs)}${
        quiet === 0 ? "" : `; ${span(quiet)} would do`
      }`
    case "Occupied":
      return "no process uses it"
    case "Vantage":
      return "it is yours, and on a local file system"
    case "Git":
      return "nothing in it is changed or under way, and its HEAD is contained in a branch, a remote branch or a tag"
    case "Settled":
      if (!restsOnSettled) return "everyone who is named as its owner has ended"
      return landed._tag === "Landed"
        ? `its work has landed in ${Screen.printable(landed.into)}: ${landed.how}`
        : "it has been quiet so long that nobody has to say that the work is over"
  }
}
