/**
 * Whether the records that were read are those of every manager on this machine.
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Processes from "../machine/core/Processes.ts"
import * as TmuxServer from "../machine/core/TmuxServer.ts"
import * as Environment from "../machine/Environment.ts"
import { ProcessTable, type ProcessTableError } from "../machine/ProcessTable.ts"
import type * as SessionRecord from "../records/core/SessionRecord.ts"
import type { SessionStore, SessionStoreError } from "../records/SessionStore.ts"
import * as Observation from "./core/Observation.ts"
import * as ManagerSigns from "./core/ManagerSigns.ts"

export { refusal } from "./core/ManagerSigns.ts"

type Store = SessionStore["Service"]

/**
 * The records, or that no root was named and none holds any.
 */
export const records = (store: Store): Effect.Effect<SessionRecord.StoredRecords | "NoManager", SessionStoreError> =>
  Effect.catchReason(store.read, "SessionStoreError", "NoManager", () => Effect.succeed("NoManager" as const))

/**
 * What speaks for a manager although no root was named, and what a claim set says where nothing does.
 */
export const signs = Effect.fnUntraced(function* (
  observation: Observation.Observation,
  dismissed: ReadonlySet<string>,
  prefixes: ReadonlyArray<string> | undefined
): Effect.fn.Return<
  { readonly signs: ReadonlyArray<string>; readonly note: string },
  ProcessTableError | Environment.EnvironmentError,
  ProcessTable | FileSystem.FileSystem
> {
  const table = yield* ProcessTable
  const processes = yield* table.snapshot
  if (processes._tag === "NotConsulted") return { signs: ["no process table is consulted that could tell"], note }
  if (!Processes.holdsSelf(processes)) return { signs: ["the list of processes was cut off"], note }
  const seen = Observation.$match(observation, {
    Answered: ({ names }) =>
      ManagerSigns.strangers(names, { records: [], undecoded: [] }, dismissed, prefixes).map(ManagerSigns.listed),
    Unobserved: ({ reason }) =>
      reason._tag === "NotInstalled" && TmuxServer.unheard(processes, new Set()).length === 0
        ? []
        : [ManagerSigns.unseen(reason)]
  })
  const fs = yield* FileSystem.FileSystem
  const own = processes.processes.filter(({ pid, user }) => user === processes.self.user && pid !== processes.self.pid)
  const roots = yield* Effect.forEach(
    own,
    ({ pid }) =>
      Effect.map(Environment.read(fs, pid), (environment) => {
        const root = Option.getOrUndefined(environment)?.["TRUSTY_MPM_ROOT"] ?? ""
        return root === "" || dismissed.has(root) ? [] : [{ pid, root }]
      }),
    { concurrency: 16 }
  )
  // macOS shows nobody the environment of a process.
  const isTold = Option.isSome(yield* Environment.read(fs, processes.self.pid))
  const untold = isTold ? "" : " (the environments of processes are not read here)"
  return { signs: [...seen, ...ManagerSigns.inEnvironments(roots.flat())], note: `${note}${untold}` }
})

const note = "no root was named and nothing speaks for a session manager, so no session claims a workspace"

/**
 * Why there may be another manager than the one whose records were read, or `undefined`: tmux lists a managed session that
 * no record names, the store being read once more for what was born since, or cannot tell.
 */
export const anotherManager = Effect.fnUntraced(function* (
  store: Store,
  stored: SessionRecord.StoredRecords,
  observation: Observation.Observation,
  dismissed: ReadonlySet<string>,
  prefixes: ReadonlyArray<string> | undefined
): Effect.fn.Return<string | undefined, SessionStoreError> {
  if (observation._tag === "Unobserved") return ManagerSigns.unobserved(observation.reason)
  const strange = ManagerSigns.strangers(observation.names, stored, dismissed, prefixes)
  if (strange.length === 0) return undefined
  const still = ManagerSigns.strangers(strange, yield* store.read, dismissed, prefixes)
  return still.length === 0 ? undefined : ManagerSigns.another(still)
})
