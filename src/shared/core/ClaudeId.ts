/**
 * The session id that Claude Code minted.
 */
import type { Brand } from "effect/Brand"
import * as Option from "effect/Option"
import * as Text from "./Text.ts"

/**
 * Well-formed Unicode of 1 to 255 bytes of UTF-8, trimmed, without U+FFFD and without control characters. Two ids are
 * the same only when they are the same text.
 */
export type ClaudeId = string & Brand<"ClaudeId">

/**
 * The id that `text` spells once white space and U+FEFF are cut from both ends, or none.
 */
export const parse = (text: string): Option.Option<ClaudeId> => {
  const id = Text.trim(text)
  return is(id) ? Option.some(id) : Option.none()
}

/**
 * Whether `text` is a valid id as it stands.
 */
export const is = (text: string): text is ClaudeId =>
  plain.test(text) ||
  (text.length > 0 &&
    text.length <= 255 &&
    Text.utf8Length(text) <= 255 &&
    text.isWellFormed() &&
    Text.trim(text) === text &&
    !text.includes("\ufffd") &&
    !Text.hasControl(text))

/** What nearly every id looks like. */
const plain = /^[A-Za-z0-9._-]{1,255}$/
