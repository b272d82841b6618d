/**
 * Worlds of any number of claims, and the judging of candidates against them as a survey does it, without git and
 * without files.
 */
import {
  LinkFile,
  LinkHistory,
  type LiveClaims as Claims,
  Liveness,
  LiveClaims,
  Observation,
  type OwnerSentinel,
  SessionOwners,
  Verdict
} from "session-liveness"
import { type GitFacts, Landed, Place, Quiet, SignOfWork } from "../../src/internal.ts"
import * as Stores from "./Stores.ts"

const now = 400 * Quiet.day
const quietSince = now - 30 * Quiet.day

const observation = Observation.Answered({ servers: [{ pid: 1, startTime: 0 }], names: ["tm-1", "tm-3", "tm-5"] })

/** A path of which every ancestor exists, in its one spelling. */
const place = (path: string, inode: number): Place.Place => {
  const segments = path.split("/").slice(1)
  const identities = segments.map((_, depth) => ({ device: 1n, inode: BigInt(inode * 10 + depth + 1) }))
  return Place.resolved(path, [{ segments, identities: [{ device: 1n, inode: 0n }, ...identities] }])
}

const encoder = new TextEncoder()

/**
 * The first `count` sessions, a few of them live, each with a workspace, a current Claude id and a link file.
 */
export const world = (count: number): Claims.LiveClaims => {
  const sessions = Array.from({ length: count }, (_, n) => {
    const record = { tmuxName: `tm-${n}`, createdAt: quietSince, process: "None" } as const
    return { n, session: Stores.managedId(n), liveness: Liveness.livenessOf(observation, record, now) }
  })
  return {
    claims: sessions.map(({ n, ...claim }) => ({
      ...claim,
      place: place(`/w/app-${n}/.worktrees/fix`, n + 1),
      lastSignAt: quietSince
    })),
    owners: {
      owners: new Map(sessions.map(({ session, liveness }) => [session, liveness])),
      current: new Map(sessions.map(({ n, session }) => [session, Stores.idsOf(n).at(-1) ?? ""])),
      history: LinkHistory.fromEntries(
        sessions.map(({ n, session }) => ({
          name: session,
          content: LinkFile.parse(encoder.encode(`${Stores.idsOf(n).join("\n")}\n`))
        }))
      ),
      caller: undefined,
      registry: { entries: [], unread: undefined, incomplete: undefined, transcripts: new Set() }
    },
    caller: undefined,
    observation,
    incomplete: undefined,
    dismissed: []
  }
}

interface Candidate {
  readonly place: Place.Place
  readonly sentinel: OwnerSentinel.Sentinel
}

/** How many sessions the candidates belong to: the first ones of any world. */
export const claimants = 100

/**
 * A thousand: half of them workspaces, half claimed by nobody; each owned by a session that its Claude id names.
 */
export const candidates: ReadonlyArray<Candidate> = Array.from({ length: 1000 }, (_, n) => {
  const of = n % claimants
  return {
    place: n % 2 === 0 ? place(`/w/app-${of}/.worktrees/fix`, of + 1) : place(`/w/app-${of}/.worktrees/${n}`, 1e6 + n),
    sentinel: { _tag: "Named", owner: Stores.idsOf(of).at(-1), agent: undefined, createdAt: quietSince }
  }
})

/** How many of the candidates are permitted. */
export const judgeAll = (claims: Claims.LiveClaims): number => {
  let permitted = 0
  for (const { place, sentinel } of candidates) {
    const owner = sentinel._tag === "Named" ? (sentinel.owner ?? "") : ""
    const signs = [quietSince, ...LiveClaims.lastSigns(claims, place)]
    const verdict = Verdict.judge({
      path: place.path,
      repository: "/r/.git",
      now,
      claim: LiveClaims.claimState(claims, place),
      sentinel,
      ends: new Map([[owner, SessionOwners.sessionEnd(claims.owners, owner, quietSince)]]),
      managed: new Set(),
      occupants: { _tag: "Known", value: [] },
      vantage: { _tag: "Known", value: "Own" },
      lastSign: SignOfWork.newest(
        signs.map((at) =>
          at === null ? { _tag: "Unknown", reason: "" } : { _tag: "Known", value: { what: "a record", at } }
        )
      ),
      bootedAt: { _tag: "Known", value: 0 },
      serversStartedAt: { _tag: "Known", value: [] },
      registered: { main: false, reclaimed: false, head: undefined, branch: "refs/heads/fix", lock: undefined },
      git: { _tag: "Known", value: clean },
      landed: Landed.NotLanded({ why: "", commits: undefined, isReverted: false })
    })
    if (verdict._tag === "Permit") permitted++
  }
  return permitted
}

const clean: GitFacts.GitFacts = {
  longLived: false,
  nested: [],
  mounts: [],
  immovable: undefined,
  ledTo: [],
  submodules: false,
  dirty: [],
  harmless: [],
  flagged: [],
  operation: undefined,
  indexLock: false,
  headContained: true,
  ignored: [],
  ignoredWrite: undefined
}
