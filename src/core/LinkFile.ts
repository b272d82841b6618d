/**
 * One link file: the Claude ids of one managed session, a line each, appended and never rewritten.
 */
import * as Option from "effect/Option"
import * as ClaudeId from "./ClaudeId.ts"
import * as Text from "./Text.ts"

const LF = 0x0a
const CAN = 0x18

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
  let start = 0
  for (let end = bytes.indexOf(LF); end !== -1; end = bytes.indexOf(LF, start)) {
    const line = readLine(bytes.subarray(start, end))
    if (line === "Damage") damaged++
    else if (line !== "Nothing") ids.add(line.id)
    start = end + 1
  }
  return { ids: [...ids], torn: start < bytes.length, damaged }
}

/**
 * Whether the bytes hold those of `id` anywhere. Where they do not, the file cannot list it, and need not be read.
 */
export const mayList = (bytes: Uint8Array, id: ClaudeId.ClaudeId): boolean => {
  const wanted = encoder.encode(id)
  const [first = LF] = wanted
  const last = bytes.length - wanted.length
  for (let at = bytes.indexOf(first); at !== -1 && at <= last; at = bytes.indexOf(first, at + 1)) {
    let length = 1
    while (length < wanted.length && bytes[at + length] === wanted[length]) length++
    if (length === wanted.length) return true
  }
  return false
}

/**
 * The one write that adds `line` to a file whose last byte is `lastByte` (`undefined`: the file is empty). A torn
 * fragment is closed with CAN in the same write, so that it can neither be spliced with `line` nor become a line itself.
 */
export const appendix = (lastByte: number | undefined, line: string): Uint8Array =>
  encoder.encode(isTorn(lastByte) ? `\u0018\n${line}\n` : `${line}\n`)

/**
 * The one write that closes a torn tail, or none when the tail is whole.
 */
export const closing = (lastByte: number | undefined): Option.Option<Uint8Array> =>
  isTorn(lastByte) ? Option.some(new Uint8Array([CAN, LF])) : Option.none()

const isTorn = (lastByte: number | undefined): boolean => lastByte !== undefined && lastByte !== LF

const readLine = (line: Uint8Array): { readonly id: ClaudeId.ClaudeId } | "Nothing" | "Damage" => {
  if (line.length === 0 || line[line.length - 1] === CAN) return "Nothing"
  const text = decode(line)
  if (text === undefined) return "Damage"
  const trimmed = Text.trim(text)
  if (trimmed === "") return "Nothing"
  return Option.match(ClaudeId.parse(trimmed), { onNone: () => "Damage" as const, onSome: (id) => ({ id }) })
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
