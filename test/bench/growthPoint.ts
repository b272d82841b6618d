/**
 * One point of the growth, in a process of its own: does one thing on a world of one size, and prints the peak of its
 * memory once all is loaded and after the first time, and how long it takes. It loads the built package alone and no more of it than it needs, so
 * that the peak is not that of loading.
 */
import type { Kind } from "./Growth.ts"

const [kind, root = "", size] = process.argv.slice(2)
const count = Number(size)

/** Each does its thing, and tells whether the answer is right. */
const doings: Readonly<Record<Kind, () => Promise<() => Promise<boolean>>>> = {
  "link files": async () => {
    const { Bound, Effect, SessionLinks, layerSidecar, Stores } = await library()
    const ids = SessionLinks.linkedClaudeIds(Stores.claudeId(0)).pipe(
      Effect.provideService(Bound.Links, "1 hour"),
      Effect.provide(layerSidecar({ root }))
    )
    return async () => (await Effect.runPromise(ids)).length === Stores.idsPerFile
  },
  "link history": async () => {
    const { Bound, Effect, SessionLinks, layerSidecar, Stores } = await library()
    const history = SessionLinks.linkHistory.pipe(
      Effect.provideService(Bound.Links, "1 hour"),
      Effect.provide(layerSidecar({ root }))
    )
    return async () => {
      const read = await Effect.runPromise(history)
      return read._tag === "Read" && read.links.size === count * Stores.idsPerFile
    }
  },
  "ledger rows": async () => {
    const { Bound, Effect, SavingsLedger, layerSidecar, Stores } = await library()
    const total = SavingsLedger.total(Stores.idsOf(0)).pipe(
      Effect.provideService(Bound.Links, "1 hour"),
      Effect.provide(layerSidecar({ root }))
    )
    return async () => (await Effect.runPromise(total)).rows === 10
  },
  records: async () => {
    const { Bound, Effect, ClaudeSessions, ProcessTable, SessionStore, WorkspaceClaims, layerSidecar } = await library()
    const { FakeTmux } = await import("session-liveness/testing")
    const { NodeFileSystem } = await import("@effect/platform-node")
    const { Layer } = await import("effect")
    const answers = { pid: 1, startTime: 1, sessions: [{ name: "tm-1", panes: [] }] }
    const claims = WorkspaceClaims.workspaceClaims().pipe(
      Effect.provideService(Bound.Claims, "1 hour"),
      Effect.provideService(Bound.Observation, "1 hour"),
      Effect.provide(
        Layer.mergeAll(
          SessionStore.layer({ root }),
          FakeTmux.layer({ reach: "Here", sockets: [{ path: "/s", answers }] }),
          ProcessTable.layerNone,
          ClaudeSessions.layerNone,
          layerSidecar({ root })
        ).pipe(Layer.provideMerge(NodeFileSystem.layer))
      )
    )
    return async () => {
      const { claims: found, incomplete } = await Effect.runPromise(claims)
      return found.length === count && incomplete === undefined
    }
  },
  claims: async () => {
    const Claims = await import("./Claims.ts")
    const world = Claims.world(count)
    return async () => Claims.judgeAll({ ...world }) > 0
  }
}

const library = async () => {
  const Effect = await import("effect/Effect")
  const { layerSidecar } = await import("session-liveness/node")
  const Stores = await import("./Stores.ts")
  return { ...(await import("session-liveness")), Effect, layerSidecar, Stores }
}

const doing = await doings[kind as Kind]()
const once = async (): Promise<number> => {
  const start = performance.now()
  if (!(await doing())) throw new Error(`${count} ${kind}: the answer is wrong`)
  return performance.now() - start
}
const peakMiB = (): number => process.resourceUsage().maxRSS / 1024
const loadedMiB = peakMiB()
const first = await once()
const peak = peakMiB()
const times = [first]
while (times.length < (first < 1000 ? 5 : 1)) times.push(await once())
times.sort((a, b) => a - b)
console.log(JSON.stringify({ ms: times[Math.floor(times.length / 2)], loadedMiB, peakMiB: peak }))
