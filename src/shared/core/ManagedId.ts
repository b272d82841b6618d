/**
 * The id of a managed session, which is also the name of its link file.
 */
import type { Brand } from "effect/Brand"
import * as Option from "effect/Option"
import * as ClaudeId from "./ClaudeId.ts"

/**
 * A single safe path segment: all that a `ClaudeId` is, and besides it does not start with `.` and holds neither `/`
 * nor `\`, so that it can only name an entry of the sidecar directory itself.
 */
export type ManagedId = string & Brand<"ManagedId">

/**
 * The id that `text` spells once white space and U+FEFF are cut from both ends, or none.
 */
export const parse = (text: string): Option.Option<ManagedId> => Option.filter(ClaudeId.parse(text), isSegment)

/**
 * Whether `name` is a valid id as it stands, so that a directory entry of that name is a link file.
 */
export const is = (name: string): name is ManagedId => plain.test(name) || (ClaudeId.is(name) && isSegment(name))

/** What nearly every id looks like: a directory of ten thousand names is gone through at every scan. */
const plain = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,254}$/

const isSegment = (id: string): id is ClaudeId.ClaudeId & ManagedId =>
  !id.startsWith(".") && !id.includes("/") && !id.includes("\\")
