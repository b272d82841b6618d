/**
 * What ids, lines and printed paths have in common as text.
 */

const isWhiteSpace = (code: number): boolean =>
  (code >= 0x09 && code <= 0x0d) ||
  code === 0x20 ||
  code === 0x85 ||
  code === 0xa0 ||
  code === 0x1680 ||
  (code >= 0x2000 && code <= 0x200a) ||
  code === 0x2028 ||
  code === 0x2029 ||
  code === 0x202f ||
  code === 0x205f ||
  code === 0x3000 ||
  code === 0xfeff

/**
 * Cuts Unicode white space and U+FEFF from both ends. `String.prototype.trim` leaves U+0085 standing, which is white
 * space to Unicode.
 */
export const trim = (text: string): string => {
  let start = 0
  let end = text.length
  while (start < end && isWhiteSpace(text.charCodeAt(start))) start++
  while (end > start && isWhiteSpace(text.charCodeAt(end - 1))) end--
  return start === 0 && end === text.length ? text : text.slice(start, end)
}

/**
 * Whether `text` holds U+0000 to U+001F or U+007F.
 */
export const hasControl = (text: string): boolean => /[\u0000-\u001f\u007f]/.test(text)

/**
 * How many bytes `text` takes as UTF-8, given that it is well-formed.
 */
export const utf8Length = (text: string): number => {
  let bytes = text.length
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code >= 0x800 && (code < 0xd800 || code > 0xdfff)) bytes += 2
    else if (code >= 0x80) bytes += 1
  }
  return bytes
}

/**
 * `text` fit to be printed on one line of a terminal: whatever could move the cursor, turn the reading direction or
 * end the line is written as `\u{…}`, and a backslash is doubled so that the result is unambiguous.
 */
export const escape = (text: string): string =>
  text
    .replaceAll("\\", "\\\\")
    .replace(
      (unprintable ??= new RegExp("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]", "gu")),
      (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
    )

/** Made when it is first used: as a literal, its sets of characters are built in every program that has it. */
let unprintable: RegExp | undefined

/**
 * Orders by UTF-16 code units, the same on every machine and under every locale.
 */
export const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
