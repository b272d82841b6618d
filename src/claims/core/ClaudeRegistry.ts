/**
 * Which Claude Code processes run, as their own registry files say.
 */
import * as Data from "effect/Data"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as ClaudeId from "../../shared/core/ClaudeId.ts"
import * as Derived from "../../shared/core/Derived.ts"
import * as ClaudeProcess from "../../machine/core/ClaudeProcess.ts"
import * as Processes from "../../machine/core/Processes.ts"
import * as Text from "../../shared/core/Text.ts"
import * as Timestamp from "../../shared/core/Timestamp.ts"
import * as Vantage from "../../machine/core/Vantage.ts"

/**
 * What became of the process that an entry registers. `startedAt` is in milliseconds since the epoch.
 */
export type EntryLiveness = Data.TaggedEnum<{
  Live: { readonly startedAt: number | undefined }
  /** No such pid, a zombie, or a process that started at another time. */
  Gone: {}
  /** It cannot be told whether the process at that pid is the one registered. */
  Unknown: { readonly startedAt: number | undefined }
}>

export const EntryLiveness = Data.taggedEnum<EntryLiveness>()

/**
 * One registry entry, judged.
 */
export interface Judged {
  readonly pid: number
  /** Its file. */
  readonly path?: string | undefined
  /** The directories that it works in, wherever its process stands. */
  readonly workspaces?: ReadonlyArray<string> | undefined
  readonly sessionId: string
  readonly liveness: EntryLiveness
}

/**
 * The registry as one look gave it.
 */
export interface ClaudeRegistry {
  readonly entries: ReadonlyArray<Judged>
  /** The session ids whose transcripts lie in a consulted config directory. */
  readonly transcripts: ReadonlySet<string>
  /** Why the registry could not be read, or `undefined`. */
  readonly unread: string | undefined
  /** Why it does not name every running Claude process, or `undefined` when it is complete. */
  readonly incomplete: string | undefined
}

/**
 * A look that failed: consulted, empty and unread.
 */
export const failed = (why: string): ClaudeRegistry => ({
  entries: [],
  transcripts: new Set(),
  unread: why,
  incomplete: why
})

/**
 * The fields of an entry that a rule needs.
 */
export interface Entry {
  readonly pid: number
  readonly sessionId: string
  readonly procStart?: string | undefined
  readonly workspaces?: ReadonlyArray<string> | undefined
  /** Whether the entry says that its pid is one of another pid namespace. */
  readonly elsewhere?: boolean | undefined
}

const decodeEntry = Schema.decodeUnknownOption(
  Schema.fromJsonString(
    Schema.Struct({
      pid: Schema.Int,
      sessionId: Schema.String,
      procStart: Schema.optional(Schema.Unknown),
      cwd: Schema.optional(Schema.Unknown),
      worktree: Schema.optional(Schema.Unknown),
      pidDomain: Schema.optional(Schema.Unknown),
      pidNamespace: Schema.optional(Schema.Unknown)
    })
  )
)

/**
 * Reads the text of the entry file of `pid`. None when it is not whole, names another pid or no session.
 */
export const parseEntry = (pid: number, text: string): Option.Option<Entry> =>
  decodeEntry(text).pipe(
    Option.filter((entry) => entry.pid === pid),
    Option.flatMap((entry) =>
      Option.map(ClaudeId.parse(entry.sessionId), (sessionId) => ({
        pid,
        sessionId,
        procStart: typeof entry.procStart === "string" ? entry.procStart : undefined,
        workspaces: [...new Set([entry.cwd, entry.worktree].filter(isAbsolutePath))],
        elsewhere: [entry.pidDomain, entry.pidNamespace].some(isElsewhere)
      }))
    )
  )

const isAbsolutePath = (path: unknown): path is string => typeof path === "string" && path.startsWith("/")

/**
 * A namespace is named in ways that are not documented; only one that holds the number of the host's is ours for sure.
 */
const isElsewhere = (namespace: unknown): boolean =>
  namespace !== undefined && namespace !== null && !JSON.stringify(namespace).includes(hostNamespaceNumber)

const hostNamespaceNumber = Vantage.hostPidNamespace.replaceAll(/\D/g, "")

/**
 * What the process table says of one pid, as far as an entry is judged by it.
 */
export interface Start {
  /** The kernel's state letter. */
  readonly state: string
  /** Clock ticks since boot, or `null` where they are not told. */
  readonly startTicks: string | null
  /** Milliseconds since the epoch, or `null` where it is not told. */
  readonly startedAt: number | null
}

/**
 * Judges an entry by the process at its pid: `null` for no such process, `"unreadable"` when the table cannot say. A
 * recorded start of digits is clock ticks and compared exactly; one like C's `ctime` is UTC: a process that started within
 * 2 seconds of it is the same, and one that is more than 15 hours younger is another one, which no time zone and no stepped clock explains.
 */
export const judgeEntry = (
  { procStart, elsewhere }: Pick<Entry, "procStart" | "elsewhere">,
  process: Start | null | "unreadable"
): EntryLiveness => {
  if (process === "unreadable" || elsewhere === true) return EntryLiveness.Unknown({ startedAt: undefined })
  if (process === null) return EntryLiveness.Gone()
  if (Processes.isZombie(process)) return EntryLiveness.Gone()
  const startedAt = process.startedAt ?? undefined
  if (procStart === undefined) return EntryLiveness.Unknown({ startedAt })
  if (/^[0-9]+$/.test(procStart)) {
    if (process.startTicks === null) return EntryLiveness.Unknown({ startedAt })
    return process.startTicks === procStart ? EntryLiveness.Live({ startedAt }) : EntryLiveness.Gone()
  }
  // What is not known is `NaN`, which is neither near nor later.
  const later = (startedAt ?? Number.NaN) - (Timestamp.parseCtime(procStart) ?? Number.NaN)
  if (Math.abs(later) <= sameStart) return EntryLiveness.Live({ startedAt })
  return later > anotherProcess ? EntryLiveness.Gone() : EntryLiveness.Unknown({ startedAt })
}

const sameStart = 2_000
const anotherProcess = 15 * 60 * 60 * 1000

/**
 * One registry file as it was found: the pid of its name, and its text or why it could not be read.
 */
export interface Found {
  readonly path: string
  readonly pid: number
  /** Whether another user may have put it there: then it does not settle that a process is another session's. */
  readonly foreign?: boolean | undefined
  readonly content: { readonly text: string } | { readonly unreadable: string }
}

/**
 * Judges a whole registry against the process table. It could be read when every entry of a running pid could; it is
 * complete when, besides, every running Claude process is named by an entry that is not gone.
 */
export const assemble = (
  found: ReadonlyArray<Found>,
  processes: ReadonlyArray<Processes.Process>,
  transcripts: ReadonlySet<string>
): ClaudeRegistry => {
  const entries: Array<Judged> = []
  const broken: Array<string> = []
  const named = new Set<number>()
  const vouched = new Set<number>()
  for (const { path, pid, foreign, content } of [...found].sort((a, b) => Text.compare(a.path, b.path))) {
    const process = Processes.find(processes, pid)
    const entry = "text" in content ? parseEntry(pid, content.text) : Option.none()
    if (Option.isSome(entry)) {
      const { sessionId, workspaces } = entry.value
      const liveness = judgeEntry(entry.value, process)
      entries.push({ pid, path, sessionId, workspaces, liveness })
      if (liveness._tag !== "Gone") named.add(pid)
      if (liveness._tag !== "Gone" && foreign !== true) vouched.add(pid)
    } else if (judgeEntry({ procStart: undefined }, process)._tag !== "Gone") {
      broken.push(`${Text.escape(path)} (process ${pid}) ${"text" in content ? "does not decode" : content.unreadable}`)
    }
  }
  const unnamed = processes
    .filter((process) => {
      const role = ClaudeProcess.roleOf(process)
      return (role === "Session" || (role === "Spare" && named.has(process.pid))) && !vouched.has(process.pid)
    })
    .map(({ pid }) => pid)
    .sort((a, b) => a - b)
  const unread = broken.length === 0 ? undefined : broken.join("; ")
  return {
    entries,
    transcripts,
    unread,
    incomplete:
      unread ??
      (unnamed.length === 0
        ? undefined
        : `Claude process ${unnamed.join(", ")} has no registry entry of its own; end it or start it anew`)
  }
}

/**
 * The entries that are live or cannot be judged.
 */
export const running: (registry: ClaudeRegistry) => ReadonlyArray<Running> = Derived.once(({ entries }) =>
  entries.filter((entry): entry is Running => entry.liveness._tag !== "Gone")
)

export interface Running extends Judged {
  readonly liveness: Exclude<EntryLiveness, { readonly _tag: "Gone" }>
}

/**
 * Those of one session id.
 */
export const runningOf = (registry: ClaudeRegistry, sessionId: string): ReadonlyArray<Running> =>
  bySession(registry).get(sessionId) ?? []

const bySession: (registry: ClaudeRegistry) => ReadonlyMap<string, ReadonlyArray<Running>> = Derived.once((registry) =>
  Map.groupBy(running(registry), ({ sessionId }) => sessionId)
)

/**
 * What the registry says of a record's ids, for `Liveness.livenessOf`. `unsure`: the link file could not be read, so that
 * there may be more ids.
 */
export const processOf = (
  registry: ClaudeRegistry | undefined,
  ids: ReadonlySet<string>,
  unsure: boolean
): "NotConsulted" | "None" | "Alive" | "Unread" => {
  if (registry === undefined) return "NotConsulted"
  for (const id of ids) if (runningOf(registry, id).length > 0) return "Alive"
  return registry.unread !== undefined || unsure ? "Unread" : "None"
}
