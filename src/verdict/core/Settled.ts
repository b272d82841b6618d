/**
 * Whether work is over though nobody says so, and whether anybody does.
 */
import * as Text from "../../shared/core/Text.ts"
import * as Branches from "./Branches.ts"
import { type Facts, type Settings, settledFor } from "./Facts.ts"
import * as OwnerSentinel from "./OwnerSentinel.ts"
import * as Quiet from "./Quiet.ts"
import * as Refusal from "./Refusal.ts"

/** A stepped clock moves the times of files against those of a mark. */
const clockStep = 5 * 60 * 1000

/**
 * Why nobody vouches that the work is over, or `undefined` when everyone does whom the sentinel names.
 */
export const unvouched = (facts: Facts): string | undefined => {
  const sentinel = OwnerSentinel.whole(facts.sentinel)
  switch (sentinel._tag) {
    case "Nobody":
      return "nobody is named as its owner"
    case "Unreadable":
      return "its ownership sentinel cannot be read"
    case "Named":
      return ownerUnvouched(facts, sentinel.owner) ?? agentUnvouched(facts, sentinel.agent)
  }
}

const ownerUnvouched = (facts: Facts, owner: string | undefined): string | undefined => {
  if (owner === undefined) return undefined
  const end = facts.ends.get(owner)?._tag
  if (end === "Caller") return undefined
  const name = `its owner ${Text.escape(owner)}`
  return end === "Ended" ? interrupted(facts, owner, name) : `${name} is not known to have ended`
}

const agentUnvouched = (facts: Facts, agent: OwnerSentinel.Agent | undefined): string | undefined => {
  if (agent === undefined) return undefined
  const end = facts.ends.get(agent.parent)?._tag
  const name = `agent ${Text.escape(agent.agentId)}`
  const parent = `its parent ${Text.escape(agent.parent)}`
  const notEnded = end === "Undeterminable" ? "is not known to have ended" : "has not ended"
  if (end === "Ended") return interrupted(facts, agent.parent, `${name} works for a session that ended, but ${parent}`)
  if (agent.endedAt === undefined) return `${name} is not marked ended, and ${parent} ${notEnded}`
  if (end !== "Caller") return `${name} is marked ended, but ${parent}, which may resume it, ${notEnded}`
  return facts.lastSign._tag === "Known" && facts.lastSign.value.at - agent.endedAt <= clockStep
    ? undefined
    : `${name} is marked ended, but there was work after that`
}

/**
 * Why the end of a session may be nobody's wish, or `undefined`.
 */
const interrupted = (
  { lastSign, bootedAt, managed, serversStartedAt }: Facts,
  session: string,
  name: string
): string | undefined => {
  if (lastSign._tag === "Unknown" || bootedAt._tag === "Unknown") {
    return `${name} may have ended by a reboot, which is not known`
  }
  const last = lastSign.value.at
  if (bootedAt.value > last) return `${name} may have ended because the machine booted after the last sign of work`
  if (!managed.has(session)) return undefined
  return serversStartedAt._tag === "Known" && serversStartedAt.value.some((startedAt) => startedAt < last)
    ? undefined
    : `${name} may have ended with its tmux server: none that answers is older than the last sign of work`
}

/**
 * Whether it is settled: landed, or quiet for long. What nobody is named for inside another session's workspace may be
 * that session's: it has to be quiet for long.
 */
export const isSettled = (facts: Facts, settings: Settings = {}): boolean =>
  Quiet.atLeast(facts.now, facts.lastSign, settledFor(settings)) ||
  (facts.landed._tag === "Landed" && !isAnothersGround(facts))

const isAnothersGround = ({ claim, sentinel }: Facts): boolean =>
  claim._tag === "ForeignNested" && sentinel._tag !== "Named"

/**
 * Why it stays, when nobody vouches for it and it is not settled.
 */
export const refusal = (facts: Facts, settings: Settings): Refusal.Refusal | undefined => {
  const why = unvouched(facts)
  if (why === undefined || isSettled(facts, settings)) return undefined
  const { lastSign } = facts
  const settles = Quiet.until(lastSign, settledFor(settings))
  if (lastSign._tag === "Unknown" || settles === undefined) {
    return Refusal.unknown(`${why}, and it is not known how long it has been quiet`, Refusal.explain(facts.path))
  }
  const reason = `${why}; ${landing(facts)}; quiet since ${Refusal.past(lastSign.value.at)}`
  return Refusal.until(settles, reason)
}

/** What has landed is settled everywhere else. */
const landing = ({ landed, registered: { branch } }: Facts): string => {
  if (landed._tag === "Landed") return "it has landed, but lies in another session's workspace"
  const where =
    branch === undefined ? "its HEAD is detached" : `it is on branch ${Text.escape(Branches.shortName(branch))}`
  return `${where}; ${Text.escape(landed.why)}`
}
