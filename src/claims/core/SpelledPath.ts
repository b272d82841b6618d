/**
 * Whether a text, such as an argument that is a script, names a path.
 */
import * as ShellWords from "../../machine/core/ShellWords.ts"

/**
 * A path as it may be spelled in a text.
 */
export interface Spelling {
  readonly text: string
  /** Names that stand beside it and begin with its own name, each without that beginning. */
  readonly longer: ReadonlyArray<string>
}

/**
 * The texts in which a path in `text` may be found: as it is, as a shell reads it, without any quotes, which shells within
 * shells leave, and as a URL. Each is under NFC.
 */
export const readings = (text: string): ReadonlyArray<string> => {
  const plain = text.normalize("NFC")
  const bare = plain.replaceAll(/["'\\]/g, "")
  return [...new Set([plain, ShellWords.unquoted(plain), bare, decoded(plain)])]
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * Whether the spelling stands somewhere in a reading of a text, and neither as the end of another path nor as the beginning
 * of a longer name. `loose`: a single word counts wherever it stands by itself, not only where it is the whole text or a
 * value.
 */
export const isIn = (reading: string, { text, longer }: Spelling, loose: boolean): boolean => {
  for (let at = reading.indexOf(text); at !== -1; at = reading.indexOf(text, at + 1)) {
    const after = reading.slice(at + text.length, at + text.length + longestName)
    if (
      begins(reading.slice(Math.max(0, at - longestName), at), text, loose) &&
      !continues.test(after) &&
      !longer.some((rest) => after.startsWith(rest)) &&
      (text.includes("/") || loose || after === "" || after.startsWith("/"))
    ) {
      return true
    }
  }
  return false
}

const longestName = 255

/** No tool ends a path with a letter, a digit or a hyphen: then the name goes on. */
const continues = /^(?:[\p{L}\p{N}\p{M}_-]|\.[\p{L}\p{N}_])/u

/**
 * Whether a path may begin after `before`: after what separates words, after an option of one letter, and an absolute one
 * after the slashes of a URL.
 */
const begins = (before: string, text: string, loose: boolean): boolean => {
  const word = /[^\s"'`=:,;|&<>(){}[\]@]*$/.exec(before)?.[0] ?? ""
  if (!text.includes("/") && !loose && !/(^|=)(\.\/)?$|^-[A-Za-z]$/.test(before)) return false
  if (word === "") return true
  return text.startsWith("/")
    ? /^(\/+|-[^/]*)$/.test(word)
    : text.includes("/")
      ? /^(\.\/|-[^/.]*)$/.test(word)
      : word === "./" || /^-[A-Za-z]$/.test(word)
}

/**
 * How an absolute normal path is spelled as seen from a directory; `undefined` for the directory itself and what is above
 * it.
 */
export const relative = (directory: string, path: string): string | undefined => {
  const from = segments(directory)
  const to = segments(path)
  let shared = 0
  while (shared < from.length && from[shared] === to[shared]) shared++
  return shared === to.length ? undefined : [...from.slice(shared).map(() => ".."), ...to.slice(shared)].join("/")
}

const segments = (path: string): ReadonlyArray<string> => path.split("/").filter((segment) => segment !== "")
