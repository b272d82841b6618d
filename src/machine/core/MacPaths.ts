/**
 * The paths that may stand in a command line, where `ps` does not tell one argument from the next.
 */

/** In characters: macOS takes no longer path. */
const longestPath = 1024

const beginning = /(?<![^\s"'`=:,;|&<>(){}[\]@])\//g

const separator = /[\s"'`=:,;|&<>(){}[\]]/

/**
 * What stands behind each slash that may begin a path, as printed and with the escapes of `ps` undone.
 */
export const beginnings = (line: string): ReadonlyArray<string> => [
  ...new Set(
    [...new Set([line, unescape(line)])].flatMap((text) =>
      Array.from(text.matchAll(beginning), ({ index }) => text.slice(index, index + longestPath))
    )
  )
]

/**
 * Each path that may begin a text, shorter ones first: it ends at the first separator, at any space after that, or with
 * the text.
 */
export const candidates = (text: string): ReadonlyArray<string> => {
  const first = text.search(separator)
  if (first === -1) return [text]
  const ends = [first]
  for (let at = text.indexOf(" ", first + 1); at !== -1; at = text.indexOf(" ", at + 1)) ends.push(at)
  return [...new Set([...ends, text.length].map((end) => text.slice(0, end)))]
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
const encoder = new TextEncoder()

const escaped = /\\([0-3][0-7]{2})|M\^([?-_])|M-([!-~])|\^([?-_])/g

/**
 * The text whose bytes `ps` spelled so: `\012` by its number, `^A` for a control character, and `M-` before what is 128
 * below it.
 */
export const unescape = (text: string): string => {
  const bytes: Array<number> = []
  let end = 0
  for (const match of text.matchAll(escaped)) {
    bytes.push(...encoder.encode(text.slice(end, match.index)), meaning(match))
    end = match.index + match[0].length
  }
  return end === 0 ? text : decoder.decode(Uint8Array.from([...bytes, ...encoder.encode(text.slice(end))]))
}

const meaning = ([, octal, metaControl, meta, control]: ReadonlyArray<string | undefined>): number => {
  if (octal !== undefined) return Number.parseInt(octal, 8)
  if (metaControl !== undefined) return (metaControl.charCodeAt(0) ^ 0x40) | 0x80
  if (meta !== undefined) return meta.charCodeAt(0) | 0x80
  return (control ?? "").charCodeAt(0) ^ 0x40
}
