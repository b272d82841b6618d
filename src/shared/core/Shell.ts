/**
 * Text as one word of a POSIX shell, so that a command that is printed works when it is pasted.
 */

/**
 * Quotes where that is needed. A control character is spelled, because a pasted line break would end the command.
 */
export const quote = (text: string): string => {
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(text)) return text
  if (!/[\u0000-\u001f\u007f-\u009f]/.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`
  const spelled = text.replace(/[\\']/g, "\\$&").replace(/[\u0000-\u001f\u007f-\u009f]/g, spell)
  return `$'${spelled}'`
}

/** As the bytes of its UTF-8, which every shell that knows `$'…'` takes. */
const spell = (character: string): string =>
  Array.from(encoder.encode(character), (byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("")

const encoder = new TextEncoder()

/**
 * A command line of these words.
 */
export const command = (...words: ReadonlyArray<string>): string => words.map(quote).join(" ")
