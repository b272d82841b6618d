/**
 * Whether one candidate may be reclaimed.
 *
 * @example
 * ```ts
 * import { Verdict } from "session-liveness"
 *
 * const say = Verdict.$match({
 *   Permit: () => "it may go",
 *   Refuse: ({ gate, reason }) => `${gate}: ${reason}`
 * })
 * ```
 */
import * as Data from "effect/Data"
import * as ClaimState from "../../claims/core/ClaimState.ts"
import * as Occupants from "../../claims/core/Occupants.ts"
import * as Shell from "../../shared/core/Shell.ts"
import * as Text from "../../shared/core/Text.ts"
import * as Branches from "./Branches.ts"
import { type Facts, quietFor, type Settings, type Vantage } from "./Facts.ts"
import type * as GitFacts from "./GitFacts.ts"
import * as GitGate from "./GitGate.ts"
import * as OwnerSentinel from "./OwnerSentinel.ts"
import * as Quiet from "./Quiet.ts"
import * as Refusal from "./Refusal.ts"
import * as Settled from "./Settled.ts"

export type { Facts, Settings, Vantage } from "./Facts.ts"

/**
 * `Permit` only behind the last gate; a gate whose facts are not known refuses and says which. A refusal has either the
 * instant (milliseconds since the epoch) at which time alone will have settled it, or a command that shows or settles it.
 */
export type Verdict = Data.TaggedEnum<{
  Permit: { readonly notes: ReadonlyArray<string> }
  Refuse: {
    readonly gate: Gate
    readonly reason: string
    readonly passesAt: number | undefined
    readonly advice: string | undefined
  }
}>

const constructors = Data.taggedEnum<Verdict>()
export const { $is, $match } = constructors

/** The gates, in the order in which they speak. */
export const gates = ["Claim", "Owner", "Occupied", "Vantage", "Quiet", "Git", "Settled"] as const

export type Gate = (typeof gates)[number]

/**
 * What one gate says, whatever the gates before it said.
 */
export interface Step {
  readonly gate: Gate
  /** `undefined`: the gate lets it pass. */
  readonly refusal: string | undefined
  readonly passesAt: number | undefined
  readonly advice: string | undefined
  /** Whether it refuses only because its facts are not known. */
  readonly unknown: boolean
}

/**
 * The first gate that refuses, else a permit.
 */
export const judge = (facts: Facts, settings: Settings = {}): Verdict => {
  for (const gate of gates) {
    const refusal = refusals[gate](facts, settings)
    if (refusal !== undefined) {
      const { reason, passesAt, advice } = refusal
      return constructors.Refuse({ gate, reason, passesAt, advice })
    }
  }
  return constructors.Permit({ notes: notes(facts) })
}

/**
 * The chain of evidence, gate by gate: all of it, or of some gates.
 */
export const explain = (
  facts: Facts,
  settings: Settings = {},
  asked: ReadonlyArray<Gate> = gates
): ReadonlyArray<Step> =>
  asked.map((gate) => {
    const refusal = refusals[gate](facts, settings)
    return {
      gate,
      refusal: refusal?.reason,
      passesAt: refusal?.passesAt,
      advice: refusal?.advice,
      unknown: refusal?.unknown ?? false
    }
  })

/**
 * Whether only being settled lets this candidate pass: such a one is kept longer when it lies reclaimed.
 */
export const restsOnSettled = (facts: Facts): boolean => Settled.unvouched(facts) !== undefined

type Gatekeeper = (facts: Facts, settings: Settings) => Refusal.Refusal | undefined

const claim: Gatekeeper = ({ claim, path }) => {
  if (ClaimState.permits(claim)) return undefined
  const reason = ClaimState.explain(claim)
  const unobserved =
    claim._tag === "Undeterminable" ||
    (claim._tag === "Foreign" &&
      claim.claims.every(({ liveness }) => liveness._tag === "Live" && liveness.because._tag === "Unobserved"))
  return unobserved
    ? Refusal.unknown(reason, Refusal.explain(path))
    : Refusal.because(reason, Shell.command("session-liveness", "sessions"))
}

const owner: Gatekeeper = ({ sentinel: found, ends, path }) => {
  const sentinel = OwnerSentinel.whole(found)
  if (sentinel._tag === "Nobody") return undefined
  if (sentinel._tag === "Unreadable") {
    return Refusal.unknown(
      `its ownership sentinel cannot be read: ${Text.escape(sentinel.why)}; fix it, or remove it if nobody owns the worktree`,
      Refusal.explain(path)
    )
  }
  if (sentinel.owner === undefined) return undefined
  const end = ends.get(sentinel.owner)
  const name = `its owner ${Text.escape(sentinel.owner)}`
  const release = Shell.command("session-liveness", "release", path)
  switch (end?._tag) {
    case "Ended":
    case "Caller":
      return undefined
    case "Live":
      return Refusal.because(`${name} is live: ${end.why}`, Shell.command("session-liveness", "sessions"))
    case "Undeterminable":
      return Refusal.unknown(
        `${name} may be live: ${end.reason}; if you know that it has ended, release the worktree`,
        release
      )
    case undefined:
      return Refusal.because(`${name} was not judged`, Refusal.explain(path))
  }
}

const occupied: Gatekeeper = ({ occupants, path }) => {
  const reason = Occupants.explain(occupants)
  if (reason === undefined) return undefined
  const advice = Refusal.explain(path)
  return occupants._tag === "Unknown" ? Refusal.unknown(reason, advice) : Refusal.because(reason, advice)
}

const vantage: Gatekeeper = ({ vantage, path }) => {
  const advice = Refusal.explain(path)
  if (vantage._tag === "Unknown") {
    return Refusal.unknown(`its owner or its file system is not known: ${Text.escape(vantage.reason)}`, advice)
  }
  return vantage.value === "Own" ? undefined : Refusal.because(vantages[vantage.value], advice)
}

const vantages: Readonly<Record<Exclude<Vantage, "Own">, string>> = {
  OtherUser: "it belongs to another user; run as that user",
  Network:
    "it lies on a network file system, or on a volume without owners, where another host or user may use it unseen; ask for its removal there, or turn owners on (macOS: diskutil enableOwnership)"
}

const quiet: Gatekeeper = ({ lastSign, now, path }, settings) => {
  const wanted = quietFor(settings)
  if (Quiet.atLeast(now, lastSign, wanted)) return undefined
  const passesAt = Quiet.until(lastSign, wanted)
  if (lastSign._tag === "Unknown" || passesAt === undefined) {
    const why = lastSign._tag === "Unknown" ? lastSign.reason : "the time that is asked for is no time"
    return Refusal.unknown(`it is not known how long it has been quiet: ${Text.escape(why)}`, Refusal.explain(path))
  }
  const { what, at } = lastSign.value
  const isToCome = at > now ? ", which lies in the future: correct the clock, or `touch` it" : ""
  return Refusal.until(
    passesAt,
    `the last sign of work in it is ${Text.escape(what)}, of ${Refusal.past(at)}${isToCome}`
  )
}

const refusals: Readonly<Record<Gate, Gatekeeper>> = {
  Claim: claim,
  Owner: owner,
  Occupied: occupied,
  Vantage: vantage,
  Quiet: quiet,
  Git: GitGate.refusal,
  Settled: Settled.refusal
}

const notes = ({ claim, git, landed, registered: { branch, lock } }: Facts): ReadonlyArray<string> => [
  ...(lock?.holder === "Gone" ? [`its lock is that of a process that is gone: ${Text.escape(lock.reason)}`] : []),
  ...(claim._tag === "Unclaimed" ? [] : [ClaimState.explain(claim)]),
  ...(landed._tag === "Landed" ? [] : [`${Text.escape(landed.why)}; ${keeper(branch)}`]),
  ...(git._tag === "Unknown" ? [] : leftovers(git.value))
]

const keeper = (branch: string | undefined): string =>
  branch === undefined ? "a ref keeps its HEAD" : `branch ${Text.escape(Branches.shortName(branch))} keeps it`

const leftovers = ({ ignored, harmless }: GitFacts.GitFacts): ReadonlyArray<string> => [
  ...(harmless.length > 0 ? [`it holds leftovers without content: ${GitGate.list(harmless)}`] : []),
  ...(ignored.length > 0 ? [`it holds ignored paths: ${GitGate.list(ignored)}`] : [])
]
