/**
 * How each service fails, for `Faults`.
 */
import type * as FileSystem from "effect/FileSystem"
import * as LinkWriter from "../links/LinkWriter.ts"
import * as SavingsLedger from "../links/SavingsLedger.ts"
import * as SidecarReader from "../links/SidecarReader.ts"
import * as Observation from "../claims/core/Observation.ts"
import { ClaudeSessionsError } from "../claims/ClaudeSessions.ts"
import * as Git from "../verdict/Git.ts"
import * as ReclaimJournal from "../reclaim/ReclaimJournal.ts"
import * as OwnerSentinel from "../verdict/OwnerSentinel.ts"
import * as ProcessTable from "../machine/ProcessTable.ts"
import * as SessionStore from "../records/SessionStore.ts"
import { TmuxProbeError } from "../claims/TmuxProbe.ts"
import * as FakeFileSystem from "./FakeFileSystem.ts"
import type * as Faults from "./Faults.ts"

const pathOf = ({ args }: Faults.Call): string => (typeof args[0] === "string" ? args[0] : "open file")

const errno =
  (code: FakeFileSystem.Code) =>
  (call: Faults.Call): ReturnType<typeof FakeFileSystem.platformError> =>
    FakeFileSystem.platformError(code, call.method.slice(call.method.indexOf(".") + 1), pathOf(call))

export const fileSystem: Faults.Profile<Faults.Failure<FileSystem.FileSystem>> = {
  name: "FileSystem",
  failures: [errno("ENOSPC"), errno("EACCES"), errno("EIO"), errno("EBUSY"), errno("ELOOP"), errno("EMFILE")]
}

const reason =
  <R, E>(make: new (given: { reason: R; path: string; cause: unknown }) => E, value: R) =>
  (call: Faults.Call): E =>
    new make({ reason: value, path: pathOf(call), cause: "injected" })

export const sidecarReader: Faults.Profile<SidecarReader.SidecarError> = {
  name: "SidecarReader",
  failures: [
    reason(SidecarReader.SidecarError, SidecarReader.Reason.Unreadable()),
    reason(SidecarReader.SidecarError, SidecarReader.Reason.NotRegular()),
    reason(SidecarReader.SidecarError, SidecarReader.Reason.TooLarge())
  ]
}

export const linkWriter: Faults.Profile<LinkWriter.LinkWriteError> = {
  name: "LinkWriter",
  failures: [
    reason(LinkWriter.LinkWriteError, LinkWriter.Reason.Failed()),
    reason(LinkWriter.LinkWriteError, LinkWriter.Reason.NotRegular()),
    reason(LinkWriter.LinkWriteError, LinkWriter.Reason.NameFolds()),
    reason(LinkWriter.LinkWriteError, LinkWriter.Reason.Taken())
  ]
}

export const savingsLedger: Faults.Profile<SavingsLedger.LedgerError> = {
  name: "SavingsLedger",
  failures: [
    reason(SavingsLedger.LedgerError, SavingsLedger.Reason.Unreadable()),
    reason(SavingsLedger.LedgerError, SavingsLedger.Reason.NotRegular())
  ]
}

export const sessionStore: Faults.Profile<SessionStore.SessionStoreError> = {
  name: "SessionStore",
  failures: [
    (call) => new SessionStore.SessionStoreError({ reason: new SessionStore.Unreadable(), path: pathOf(call) }),
    (call) =>
      new SessionStore.SessionStoreError({
        reason: new SessionStore.Malformed({ why: "is not valid JSON" }),
        path: pathOf(call)
      })
  ]
}

/** The calls by which the link programs reach their files. */
export const fileMethods: ReadonlyArray<string> = [
  "FileSystem.stat",
  "FileSystem.readFile",
  "FileSystem.readDirectory",
  "FileSystem.open",
  "File.writeAll",
  "File.read",
  "File.stat",
  "FileSystem.lstat",
  "FileSystem.makeDirectory",
  "FileSystem.rename",
  "FileSystem.readFileString"
]

/** The calls by which the link programs reach their services. */
export const serviceMethods: ReadonlyArray<string> = [
  "SidecarReader.list",
  "SidecarReader.read",
  "SidecarReader.find",
  "LinkWriter.append",
  "LinkWriter.closeTail",
  "LinkWriter.quarantine",
  "SavingsLedger.total",
  "SavingsLedger.mentioned",
  "SessionStore.read"
]

/**
 * A file system whose failures are not a lack of permission: what a user may not look at is part of the world.
 */
export const permittedFileSystem: Faults.Profile<Faults.Failure<FileSystem.FileSystem>> = {
  name: "FileSystem",
  failures: [errno("EIO"), errno("EBUSY"), errno("EMFILE")]
}

const probeFailure =
  (reason: Observation.Reason) =>
  (call: Faults.Call): TmuxProbeError =>
    new TmuxProbeError({ reason, socket: pathOf(call) })

const injected = { detail: "injected" }

/** All that asking tmux can come to but that no server is there. */
export const tmuxProbe: Faults.Profile<TmuxProbeError> = {
  name: "TmuxProbe",
  failures: [
    probeFailure(Observation.Reason.Failed(injected)),
    probeFailure(Observation.Reason.NotInstalled(injected)),
    probeFailure(Observation.Reason.SocketDirMissing(injected)),
    probeFailure(Observation.Reason.ConnectFailed(injected)),
    probeFailure(Observation.Reason.VersionMismatch(injected)),
    probeFailure(Observation.Reason.Malformed(injected)),
    probeFailure(Observation.Reason.TimedOut(injected)),
    probeFailure(Observation.Reason.ForeignVantage({ why: "injected" }))
  ]
}

export const processTable: Faults.Profile<ProcessTable.ProcessTableError> = {
  name: "ProcessTable",
  failures: [
    () => new ProcessTable.ProcessTableError({ reason: new ProcessTable.Unlistable(), ...injected }),
    () => new ProcessTable.ProcessTableError({ reason: new ProcessTable.ProcessUnreadable({ pid: 1 }), ...injected })
  ]
}

export const claudeSessions: Faults.Profile<ClaudeSessionsError> = {
  name: "ClaudeSessions",
  failures: [() => new ClaudeSessionsError({ path: "the config directory", cause: "injected" })]
}

export const ownerSentinel: Faults.Profile<OwnerSentinel.OwnerSentinelError> = {
  name: "OwnerSentinel",
  failures: [
    (call) =>
      new OwnerSentinel.OwnerSentinelError({
        reason: new OwnerSentinel.Unwritten(),
        worktree: pathOf(call),
        ...injected
      })
  ]
}

export const git: Faults.Profile<Git.GitError> = {
  name: "Git",
  failures: [
    (call) => new Git.GitError({ reason: new Git.Failed(), path: pathOf(call), ...injected }),
    (call) => new Git.GitError({ reason: new Git.NotUsable(), path: pathOf(call), ...injected })
  ]
}

export const gitChanges: Faults.Profile<Git.GitError> = {
  name: "GitChanges",
  failures: [(call) => new Git.GitError({ reason: new Git.NotDone(), path: pathOf(call), ...injected })]
}

export const reclaimedTrees: Faults.Profile<Git.GitError> = {
  name: "ReclaimedTrees",
  failures: [(call) => new Git.GitError({ reason: new Git.Failed(), path: pathOf(call), ...injected })]
}

export const reclaimJournal: Faults.Profile<ReclaimJournal.JournalError> = {
  name: "ReclaimJournal",
  failures: [
    () => new ReclaimJournal.JournalError({ reason: new ReclaimJournal.Unreadable(), path: "/", ...injected }),
    () => new ReclaimJournal.JournalError({ reason: new ReclaimJournal.Unwritten(), path: "/", ...injected })
  ]
}

export const restorations: Faults.Profile<Error> = {
  name: "Restorations",
  failures: [() => new Error(injected.detail)]
}

/** The calls by which claims and surveys reach their services and files. */
export const sweepMethods: ReadonlyArray<string> = [
  "SessionStore.read",
  "TmuxProbe.sockets",
  "TmuxProbe.ask",
  "TmuxProbe.panes",
  "ProcessTable.snapshot",
  "ProcessTable.uses",
  "ClaudeSessions.projects",
  "ClaudeSessions.snapshot",
  "SidecarReader.list",
  "SidecarReader.read",
  "OwnerSentinel.read",
  "Git.repository",
  "Git.files",
  "Git.inspect",
  "Git.landed",
  "Restorations.restoredAt",
  "FileSystem.stat",
  "FileSystem.lstat",
  "FileSystem.readLink",
  "FileSystem.readFile",
  "FileSystem.readFileString",
  "FileSystem.readDirectory"
]

/** The calls by which worktrees are moved, put back and removed. */
export const stepMethods: ReadonlyArray<string> = [
  "GitChanges.carryOut",
  "GitChanges.carryOut",
  "GitChanges.guard",
  "ReclaimedTrees.look",
  "ReclaimedTrees.identify",
  "ReclaimJournal.put",
  "ReclaimJournal.forget",
  "ReclaimJournal.read",
  "FileSystem.exists",
  "FileSystem.makeDirectory",
  "FileSystem.rename",
  "FileSystem.remove",
  "FileSystem.writeFileString"
]
