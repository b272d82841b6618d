/**
 * How each service fails, for `Faults`.
 */
import type * as FileSystem from "effect/FileSystem"
import * as LinkWriter from "../contracts/LinkWriter.ts"
import * as SavingsLedger from "../contracts/SavingsLedger.ts"
import * as SidecarReader from "../contracts/SidecarReader.ts"
import * as SessionStore from "../services/SessionStore.ts"
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
    reason(SidecarReader.SidecarError, SidecarReader.Reason.NotRegular())
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
  "LinkWriter.append",
  "LinkWriter.closeTail",
  "LinkWriter.quarantine",
  "SavingsLedger.total",
  "SavingsLedger.mentioned",
  "SessionStore.read"
]
