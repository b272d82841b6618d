/**
 * Every parser of text and bytes that come from outside, fed with bytes that may be anything.
 */
import { Option, Result } from "effect"
import * as BsdPs from "../../src/machine/core/BsdPs.ts"
import * as ClaudeId from "../../src/shared/core/ClaudeId.ts"
import * as ClaudeRegistry from "../../src/claims/core/ClaudeRegistry.ts"
import * as GitList from "../../src/verdict/core/GitList.ts"
import * as ClaudeLock from "../../src/verdict/core/ClaudeLock.ts"
import * as LinkFile from "../../src/links/core/LinkFile.ts"
import * as Lsof from "../../src/machine/core/Lsof.ts"
import * as MacMounts from "../../src/machine/core/MacMounts.ts"
import * as MacPaths from "../../src/machine/core/MacPaths.ts"
import * as Mounts from "../../src/machine/core/Mounts.ts"
import * as Observation from "../../src/claims/core/Observation.ts"
import * as OwnerSentinel from "../../src/verdict/core/OwnerSentinel.ts"
import * as Place from "../../src/claims/core/Place.ts"
import * as ProcessStat from "../../src/machine/core/ProcessStat.ts"
import * as ProcessStatus from "../../src/machine/core/ProcessStatus.ts"
import * as JournalEntry from "../../src/reclaim/core/JournalEntry.ts"
import * as SavingsTotal from "../../src/links/core/SavingsTotal.ts"
import * as SessionRecord from "../../src/records/core/SessionRecord.ts"
import * as SweepGuard from "../../src/reclaim/core/SweepGuard.ts"
import * as Timestamp from "../../src/shared/core/Timestamp.ts"

/**
 * `whole` is what it reads, to be mutilated. `read` says whether it gave an answer, and throws if the parser throws or if
 * what it answers cannot have stood there.
 */
export interface Parser {
  readonly whole: string
  readonly read: (bytes: Uint8Array) => boolean
}

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true })

const ofText = (whole: string, read: (text: string) => boolean): Parser => ({
  whole,
  read: (bytes) => read(utf8.decode(bytes))
})

const some =
  (parse: (text: string) => Option.Option<unknown>) =>
  (text: string): boolean =>
    Option.isSome(parse(text))

const defined =
  (parse: (text: string) => unknown) =>
  (text: string): boolean =>
    parse(text) !== undefined

const must = (condition: boolean, why: string): void => {
  if (!condition) throw new Error(why)
}

const linkFile = (bytes: Uint8Array): boolean => {
  const { ids, torn } = LinkFile.parse(bytes)
  const finished = utf8.decode(bytes).split("\n").slice(0, -1)
  for (const id of ids) {
    must(
      finished.some((line) => line.includes(id)),
      `${id} is on no finished line`
    )
    must(LinkFile.mayList(id)(bytes), `mayList passes over ${id}`)
  }
  must(torn === (bytes.length > 0 && bytes.at(-1) !== 0x0a), "torn is wrong")
  return ids.length > 0
}

const ledger = (text: string): boolean => {
  const total = SavingsTotal.fold(text, ["c1"])
  must(total.tokensSaved >= 0 && total.costSavedUsd >= 0, "savings below zero")
  SavingsTotal.segment(total)
  return total.rows > 0
}

const answer =
  (read: (call: Observation.Call) => Result.Result<unknown, unknown>) =>
  (stdout: string): boolean => {
    const isRead = Result.isSuccess(read({ exitCode: 0, stdout, stderr: "" }))
    must(!isRead || /(^|\n)server [0-9]+ [0-9]+\n$/.test(stdout), "an answer without its last row was read")
    must(Result.isFailure(read({ exitCode: 1, stdout, stderr: stdout })), "a failed call was read")
    Observation.fromTmux({ exitCode: 1, stdout: "", stderr: stdout })
    return isRead
  }

const mountInfo = (text: string): boolean => {
  const mounts = Mounts.parse(text)
  if (mounts === undefined) return false
  Mounts.of(mounts, "/mnt 2/a")
  Mounts.hidesProcesses(mounts)
  Mounts.inside(mounts, "/")
  Mounts.showing(mounts, "/")
  return true
}

const heldFiles = (text: string): boolean => {
  const holders = Lsof.parse(text, ["/dev/disk3s5"])
  if (Result.isFailure(holders)) return false
  must(text.endsWith("\n"), "an output that was cut off was read")
  for (const path of holders.success.flatMap(({ files }) => files.flatMap(({ paths }) => paths))) {
    must(path.startsWith("/"), `${path} is no path`)
  }
  return true
}

const commandLine = (text: string): boolean => {
  for (const piece of MacPaths.beginnings(text)) {
    for (const path of MacPaths.candidates(piece)) must(piece.startsWith(path), `${path} does not stand there`)
  }
  return text !== ""
}

const macMounts = (text: string): boolean => {
  const mounts = MacMounts.parse(text)
  for (const mount of mounts ?? []) {
    must(mount.point.startsWith("/"), `${mount.point} is no path`)
    MacMounts.typeOf(mount)
  }
  return mounts !== undefined
}

const sentinel = (text: string): boolean => {
  const file = { _tag: "File", size: text.length, text } as const
  must(OwnerSentinel.decide(file, { _tag: "Nothing" })._tag !== "Nobody", "a file in the admin directory names nobody")
  return OwnerSentinel.decide({ _tag: "Nothing" }, file)._tag === "Named"
}

const entryOfSweep: JournalEntry.JournalEntry = {
  repository: { inode: "1", birth: 1 },
  commonDirectory: "/w/app/.git",
  tree: { inode: "2", birth: null },
  adminName: "fix",
  record: {
    name: "fix-1",
    path: "/w/app/.worktrees/fix",
    branch: "refs/heads/fix",
    head: "0123456789abcdef0123456789abcdef01234567",
    at: Date.UTC(2026, 0, 5),
    settledOnly: false,
    priorLock: undefined
  },
  restoringSince: undefined
}

export const parsers: Readonly<Record<string, Parser>> = {
  "a link file": { whole: "c1\n  c2\t\nab\u0018\n3c1f9e52-0b1c-4d6e-8a55-2f6d0a9b1c01\n", read: linkFile },
  "a Claude id": ofText("3c1f9e52-0b1c-4d6e-8a55-2f6d0a9b1c01", some(ClaudeId.parse)),
  "a ledger": ofText(
    '{"session_id":"c1","tokens_saved":12,"cost_saved_usd":0.5}\n{"session_id":"c\\u0031","tokens_saved":-1}\n',
    ledger
  ),
  "the sessions of tmux": ofText(
    "session $0 tm-a\nsession $12 work\nserver 201 1700000000\n",
    answer(Observation.answerOf)
  ),
  "the panes of tmux": ofText("pane %0 301 tm-a\npane %1 0 tm-b\nserver 201 1700000000\n", answer(Observation.panesOf)),
  "stored records": ofText(
    '{"sessions":{"m1":{"id":"m1","tmux_name":"tm-a","created_at":"2026-01-01T00:00:00Z"},"m2":null}}',
    (text) => Result.isSuccess(SessionRecord.parseStore(text))
  ),
  "a registry entry": ofText(
    '{"pid":301,"sessionId":"c1","procStart":"8812345","pidNamespace":null}',
    some((text) => ClaudeRegistry.parseEntry(301, text))
  ),
  "a sentinel": ofText('{"owner_session_id":"m1","created_at":"2026-01-01T00:00:00Z"}', sentinel),
  "/proc/<pid>/stat": ofText(
    "301 (tmux: server) S 1 301 301 0 -1 4194624 2 0 0 0 1 1 0 0 20 0 1 0 8812345 1 1 1 1 1 1 1 1\n",
    some(ProcessStat.parse)
  ),
  "/proc/<pid>/status": ofText("Name:\ttmux\nUid:\t0\t0\t0\t0\nNSpid:\t301\t7\n", some(ProcessStatus.parse)),
  "/proc/stat": ofText("cpu 1 2\nbtime 1700000000\n", defined(ProcessStat.bootTime)),
  "/proc/<pid>/mountinfo": ofText("36 35 98:0 /mnt1 /mnt\\0402 rw,noatime master:1 - ext4 /dev/root rw\n", mountInfo),
  "the table of ps on macOS": ofText(
    "  301   1  501 Ss   ttys000  Mon Jan  5 10:00:00 2026     tmux             tmux new -s a\n",
    (text) => Result.isSuccess(BsdPs.parse(text))
  ),
  "what lsof prints": ofText(
    "p301\0ctmux\0u501\0\nfcwd\0tDIR\0D0x100000f\0i42\0k3\0n/w/\\xc3\\xa9^A\0\nf4\0tREG\0n/ (/dev/disk3s5)\0\n",
    heldFiles
  ),
  "a command line without ends of arguments": ofText("/bin/vim --root=/w/a b^A /c\\012M-CM-)", commandLine),
  "the mounts of macOS": ofText(
    "/dev/disk3s5 on /Volumes/a b (apfs, local)\nmap auto_home on /home (autofs, automounted)\n",
    macMounts
  ),
  "a list of worktrees": ofText(
    "worktree /w/a\0HEAD 0123456789abcdef\0branch refs/heads/a\0locked because\0\0",
    defined(GitList.worktrees)
  ),
  "a status of git": ofText(" M a\0R  b\0c\0?? d\0!! e\0", defined(GitList.status)),
  "a list of tracked files": ofText("H 100644 0123456789abcdef 0\ta\0S 160000 0123 0\tb\0", defined(GitList.tracked)),
  "a lock of a harness": ofText(
    "claude agent agent-a1 (pid 4242 start 8812345)",
    (text) => ClaudeLock.of(text, []).holder === "Gone"
  ),
  "a journal of what is reclaimed": ofText(
    JournalEntry.encode(JournalEntry.put(JournalEntry.empty as JournalEntry.Stored, "host", entryOfSweep)),
    (text) => Result.isSuccess(JournalEntry.decode(text))
  ),
  "a guard of a sweep": ofText(
    SweepGuard.print({ host: "a", pid: 301, start: "8812345", pidNamespace: "pid:[1]" }),
    some(SweepGuard.parse)
  ),
  "a time": ofText("2026-01-05T10:00:00.5+01:00", defined(Timestamp.parseRfc3339)),
  "a start in words": ofText("Mon Jan  5 10:00:00 2026", defined(Timestamp.parseCtime)),
  "a path": ofText("/w/./a//b/../c", defined(Place.segmentsOf))
}

/**
 * Feeds `count` byte strings to one parser: half of them drawn at random, half of them mutilations of what it reads.
 * Gives the first that it throws on.
 */
export const feed = ({ whole, read }: Parser, count: number, seed: string): Refuted | undefined => {
  const next = random(seed)
  const template = new TextEncoder().encode(whole)
  for (let at = 0; at < count; at++) {
    const bytes = at % 2 === 0 ? anything(next) : mutilated(template, next)
    try {
      read(bytes)
    } catch (error) {
      return { bytes: JSON.stringify(Buffer.from(bytes).toString("latin1")), why: String(error) }
    }
  }
  return undefined
}

export interface Refuted {
  readonly bytes: string
  readonly why: string
}

type Random = (below: number) => number

/** Mulberry32, by Tommy Ettinger: small, seeded and fast. */
const random = (seed: string): Random => {
  let state = [...seed].reduce((hash, character) => Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193), 1)
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}

/** Bytes on which parsers turn. */
const telling = new TextEncoder().encode('\n\r\0\t (){}[]"\\:,$/-+.019aeEzZ\u0018\u001b')

const byte = (next: Random): number => (next(2) === 0 ? (telling[next(telling.length)] ?? 0) : next(256))

const anything = (next: Random): Uint8Array => Uint8Array.from({ length: next(48) }, () => byte(next))

const mutilated = (template: Uint8Array, next: Random): Uint8Array => {
  let bytes = [...template]
  for (let cuts = 1 + next(4); cuts > 0; cuts--) {
    const at = next(bytes.length + 1)
    const how = next(5)
    if (how === 0) bytes = bytes.slice(0, at)
    else if (how === 1) bytes.splice(at, 1 + next(3))
    else if (how === 2) bytes.splice(at, 0, byte(next))
    else if (how === 3 && at < bytes.length) bytes[at] = byte(next)
    else bytes.splice(at, 0, ...bytes.slice(next(bytes.length + 1), at))
  }
  return Uint8Array.from(bytes)
}
