/**
 * One link file: the Claude ids of one managed session, a line each, appended and never rewritten.
 *
 * @example
 * ```ts
 * import { LinkFile } from "session-liveness"
 *
 * // The last write did not finish: it is not a link.
 * const { ids, torn } = LinkFile.parse(new TextEncoder().encode("first\nsecond\nthi"))
 * ```
 */
import * as Option from "effect/Option"
import * as ClaudeId from "../../shared/core/ClaudeId.ts"
import * as Text from "../../shared/core/Text.ts"

const LF = 0x0a
const CAN = 0x18

/** The largest link file that is read, in bytes: 1 MiB. A larger one may not end. */
export const largest: number = 1024 * 1024

/**
 * What the bytes of a link file say. Ids are unique, in the order in which they were first linked.
 */
export interface LinkFile {
  readonly ids: ReadonlyArray<ClaudeId.ClaudeId>
  /** Bytes stand behind the last newline: a write that did not finish. They are never an id. */
  readonly torn: boolean
  /** How many finished lines are neither blank, nor cancelled, nor a valid id. */
  readonly damaged: number
}

/**
 * Reads a link file from its bytes. Never throws: what cannot be an id is counted and dropped alone.
 */
export const parse = (bytes: Uint8Array): LinkFile => {
  const ids = new Set<ClaudeId.ClaudeId>()
  let damaged = 0
  const take = (line: string | undefined): void => {
    const found = line === undefined ? "Damage" : readLine(line)
    if (found === "Damage") damaged++
    else if (found !== "Nothing") ids.add(found.id)
  }
  const text = decode(bytes)
  const torn = text === undefined ? eachLine(bytes, take) : eachTextLine(text, take)
  return { ids: [...ids], torn, damaged }
}

/**
 * Whether bytes hold those of `id` anywhere. Where they do not, the file cannot list it, and need not be read.
 */
export const mayList = (id: ClaudeId.ClaudeId): ((bytes: Uint8Array) => boolean) => {
  const wanted = encoder.encode(id)
  const end = wanted.length - 1
  // How far the search may go on when a byte stands where the last one was looked for (Horspool).
  const steps = new Uint8Array(256).fill(wanted.length)
  for (let at = 0; at < end; at++) steps[wanted[at] ?? 0] = end - at
  return (bytes) => {
    for (let at = end; at < bytes.length; at += steps[bytes[at] ?? 0] ?? 1) {
      let back = 0
      while (back <= end && bytes[at - back] === wanted[end - back]) back++
      if (back > end) return true
    }
    return false
  }
}

/**
 * The one write that adds `line` to a file whose last byte is `lastByte` (`undefined`: the file is empty). A torn
 * fragment is closed with CAN in the same write, so that it can neither be spliced with `line` nor become a line itself.
 */
export const appendix = (lastByte: number | undefined, line: string): Uint8Array =>
  encoder.encode(isTorn(lastByte) ? `\u0018\n${line}\n` : `${line}\n`)

/**
 * The one write that adds `id` to a file that holds `bytes`, or none when it lists `id` already.
 */
export const addition = (bytes: Uint8Array, id: ClaudeId.ClaudeId): Uint8Array | undefined =>
  mayList(id)(bytes) && parse(bytes).ids.includes(id) ? undefined : appendix(bytes[bytes.length - 1], id)

/**
 * The one write that closes a torn tail, or none when the tail is whole.
 */
export const closing = (lastByte: number | undefined): Option.Option<Uint8Array> =>
  isTorn(lastByte) ? Option.some(new Uint8Array([CAN, LF])) : Option.none()

const isTorn = (lastByte: number | undefined): boolean => lastByte !== undefined && lastByte !== LF

/** Gives each finished line, and answers whether anything stands behind the last. */
const eachTextLine = (text: string, take: (line: string) => void): boolean => {
  let start = 0
  for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
    take(text.slice(start, end))
    start = end + 1
  }
  return start < text.length
}

/** The same for bytes that are not all UTF-8; a line that is not comes as `undefined`. */
const eachLine = (bytes: Uint8Array, take: (line: string | undefined) => void): boolean => {
  let start = 0
  for (let end = bytes.indexOf(LF); end !== -1; end = bytes.indexOf(LF, start)) {
    const line = bytes.subarray(start, end)
    take(line[line.length - 1] === CAN ? "" : decode(line))
    start = end + 1
  }
  return start < bytes.length
}

const readLine = (line: string): { readonly id: ClaudeId.ClaudeId } | "Nothing" | "Damage" => {
  if (line.endsWith("\u0018")) return "Nothing"
  const trimmed = Text.trim(line)
  if (trimmed === "") return "Nothing"
  return ClaudeId.is(trimmed) ? { id: trimmed } : "Damage"
}

const encoder = new TextEncoder()
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const decode = (bytes: Uint8Array): string | undefined => {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}
