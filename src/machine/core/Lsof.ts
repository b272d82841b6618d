/**
 * What `lsof` prints of the files that processes use.
 */
import * as Result from "effect/Result"

/**
 * What to ask `lsof` for: every file of every process, without calls that may block, and each field ended by NUL.
 */
export const args: ReadonlyArray<string> = ["-b", "-w", "-n", "-P", "-l", "+L", "-F0pucftDikn"]

/**
 * One process and the files of it that have a path.
 */
export interface Holder {
  readonly pid: number
  readonly files: ReadonlyArray<HeldFile>
  /** What `lsof` could not see of it, so that `files` may lack something. */
  readonly missing: string | undefined
}

/**
 * One file that a process uses. `lsof` prints a control character and its spelling with `^` alike, so that one name may
 * stand for several `paths`.
 */
export interface HeldFile {
  readonly kind: "working directory" | "root" | "executable" | "open file"
  readonly paths: ReadonlyArray<string>
  /** The file system, numbered as `stat` numbers it. */
  readonly device: number | undefined
  readonly inode: string | undefined
  readonly links: number | undefined
  /** Whether it is a regular file, which may have other names than the one that is printed. */
  readonly regular: boolean
}

/**
 * Reads a whole output, or says why it is none. `devices` are the sources of the mount table: a file without a path is
 * printed as the mount point of its file system and its device in brackets.
 */
export const parse = (text: string, devices: Iterable<string>): Result.Result<ReadonlyArray<Holder>, string> => {
  if (!text.endsWith("\0\n")) return Result.fail("lsof printed nothing, or was cut off")
  const suffixes = [...new Set(devices)].map((device) => ` (${device})`)
  const holders: Array<{ pid: number; files: Array<HeldFile>; missing: string | undefined }> = []
  for (const line of text.slice(0, -1).split("\n")) {
    const fields = fieldsOf(line)
    const file = fields === undefined ? "Malformed" : fields.has("p") ? "Nothing" : fileOf(fields, suffixes)
    const pid = fields?.get("p")
    if (pid !== undefined) holders.push({ pid: Number(pid), files: [], missing: undefined })
    const holder = holders.at(-1)
    if (file === "Malformed" || holder === undefined) {
      return Result.fail(`a line of lsof has another shape: ${JSON.stringify(line.slice(0, 200))}`)
    }
    if (typeof file !== "string") holder.files.push(file)
    else if (file !== "Nothing") holder.missing ??= `lsof does not tell ${file} of it: ${line.replaceAll("\0", " ")}`
  }
  return Result.succeed(holders)
}

/** What to ask for the sockets of a few processes. */
export const socketArgs = (pids: ReadonlyArray<number>): ReadonlyArray<string> => [
  ...args,
  "-a",
  "-U",
  "-p",
  pids.join(",")
]

/**
 * The processes of which an output shows sockets and none of them with a path: they only connected. Whoever listens shows
 * the path of its socket, whether or not that was removed. None where the output has another shape.
 */
export const connected = (text: string): ReadonlySet<number> => {
  const none = new Set<number>()
  if (!text.endsWith("\0\n")) return none
  const listens = new Map<number, boolean>()
  let pid: number | undefined
  for (const line of text.slice(0, -1).split("\n")) {
    const fields = fieldsOf(line)
    if (fields === undefined) return none
    pid = fields.has("p") ? Number(fields.get("p")) : pid
    if (pid === undefined) return none
    if (fields.get("t") === "unix") {
      listens.set(pid, listens.get(pid) === true || !connection.test(fields.get("n") ?? ""))
    }
  }
  return new Set([...listens].flatMap(([pid, does]) => (does ? [] : [pid])))
}

/** What stands in the place of a path, on macOS and on Linux. A path may be a relative one. */
const connection = /^($|->|type=)/

const ofProcess: Readonly<Record<string, RegExp>> = { p: /^[1-9][0-9]*$|^0$/, c: /^/, u: /^-?[0-9]+$/ }

const ofFile: Readonly<Record<string, RegExp>> = {
  f: /^[^ ]+$/,
  t: /^/,
  D: /^0x[0-9a-f]+$/,
  i: /^[0-9]+$/,
  k: /^[0-9]+$/,
  n: /^/
}

/** The fields of a line by their letters. The name of a file comes last. */
const fieldsOf = (line: string): ReadonlyMap<string, string> | undefined => {
  if (!line.endsWith("\0")) return undefined
  const known = line.startsWith("p") ? ofProcess : line.startsWith("f") ? ofFile : undefined
  const fields = new Map<string, string>()
  const parts = line.slice(0, -1).split("\0")
  for (const part of parts) {
    const letter = part.slice(0, 1)
    const value = part.slice(1)
    if (known === undefined || fields.has(letter)) return undefined
    if (!Object.hasOwn(known, letter) || known[letter]?.test(value) !== true) return undefined
    fields.set(letter, value)
  }
  return known === ofFile && parts.at(-1)?.startsWith("n") !== true ? undefined : fields
}

type WhatIsMissing = "a directory or executable" | "a descriptor" | "a path" | "all of a path" | "what failed"

const fileOf = (
  fields: ReadonlyMap<string, string>,
  suffixes: ReadonlyArray<string>
): HeldFile | "Nothing" | "Malformed" | WhatIsMissing => {
  const descriptor = fields.get("f") ?? ""
  const type = fields.get("t") ?? ""
  const names = unescape(fields.get("n") ?? "")
  if (names === "Malformed") return "Malformed"
  if (descriptor === "err") return "what failed"
  const named = kinds[descriptor]
  if (named === undefined && type === "") return names.some((name) => closing.test(name)) ? "Nothing" : "a descriptor"
  if (named === undefined && pathless.has(type)) return "Nothing"
  if (names.length > mostSpellings) return "a path"
  const links = optionalNumber(fields.get("k"))
  if (names.some((name) => isDevicePath(name, suffixes))) return links === 0 ? "Nothing" : "a path"
  if (names.some((name) => bytesOf(name) >= longestPath)) return "all of a path"
  const paths = names.filter((name) => name.startsWith("/"))
  if (paths.length === 0) {
    if (named === undefined) return files.has(type) && links !== 0 ? "a path" : "Nothing"
    return names.some((name) => name.includes("No such file or directory")) ? "Nothing" : "a directory or executable"
  }
  return {
    kind: named ?? "open file",
    paths,
    device: optionalNumber(fields.get("D")),
    inode: fields.get("i"),
    links,
    regular: type === "REG"
  }
}

const kinds: Readonly<Record<string, HeldFile["kind"]>> = {
  cwd: "working directory",
  twd: "working directory",
  rtd: "root",
  txt: "executable"
}

/** Types of what has no path, whatever stands in its name. */
const pathless: ReadonlySet<string> = new Set(
  "IPv4 IPv6 unix sock systm rte key ndrv ATALK netlink pack PIPE KQUEUE PSXSHM PSXSEM FSEVENTS NPOLICY a_inode".split(
    " "
  )
)

/** Types of what lies in a file system under a name. */
const files: ReadonlySet<string> = new Set(["REG", "VREG", "DIR", "VDIR", "LINK", "LNK", "VLNK"])

/** What stands in the place of a name where the descriptor was closed while `lsof` looked, or leads to nothing. */
const closing = /^(\(revoked\)|vnode: FD unavailable|vnode: process unavailable|unknown file type: [0-9]+)$/

const isDevicePath = (name: string, suffixes: ReadonlyArray<string>): boolean =>
  name.endsWith(")") && (/ \(\/dev\/[^()]*\)$/.test(name) || suffixes.some((suffix) => name.endsWith(suffix)))

/** In bytes. macOS drops the beginning of a path that does not fit into 1,024, and does not say so. */
const longestPath = 768

const encoder = new TextEncoder()

const bytesOf = (name: string): number => (name.length * 3 < longestPath ? name.length : encoder.encode(name).length)

const optionalNumber = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text))

const mostCarets = 6
const mostSpellings = 2 ** mostCarets

const single: Readonly<Record<string, number>> = { "\\": 0x5c, b: 8, f: 12, n: 10, r: 13, t: 9 }

const decoder = new TextDecoder("utf-8", { ignoreBOM: true })

/**
 * Every name that is printed so; more than `mostSpellings` of them when there are too many to give.
 */
const unescape = (printed: string): ReadonlyArray<string> | "Malformed" => {
  if (!/^[ -~]*$/.test(printed)) return "Malformed"
  if (!/[\\^]/.test(printed)) return [printed]
  const tokens = printed.match(/\\x[0-9a-fA-F]{2}|\\[\\bfnrt]|\^[@-_?]|[^\\]/g) ?? []
  if (tokens.join("") !== printed) return "Malformed"
  if (tokens.filter(isControl).length > mostCarets) return Array.from({ length: mostSpellings + 1 }, () => printed)
  let spellings: ReadonlyArray<ReadonlyArray<number>> = [[]]
  for (const token of tokens) {
    const meant = meanings(token)
    spellings = spellings.flatMap((bytes) => meant.map((more) => [...bytes, ...more]))
  }
  return spellings.map((bytes) => decoder.decode(Uint8Array.from(bytes)))
}

const isControl = (token: string): boolean => token.length === 2 && token.startsWith("^")

const meanings = (token: string): ReadonlyArray<ReadonlyArray<number>> => {
  const own = [...token].map((character) => character.charCodeAt(0))
  if (isControl(token)) return [own, [(own[1] ?? 0) ^ 0x40]]
  if (token.startsWith("\\x")) return [[Number.parseInt(token.slice(2), 16)]]
  return token.startsWith("\\") ? [[single[token.slice(1)] ?? 0]] : [own]
}
