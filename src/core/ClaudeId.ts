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
  return isValid(id) ? Option.some(id) : Option.none()
}

const isValid = (id: string): id is ClaudeId =>
  id.length > 0 &&
  id.length <= 255 &&
  Text.utf8Length(id) <= 255 &&
  id.isWellFormed() &&
  !id.includes("\ufffd") &&
  !Text.hasControl(id)
