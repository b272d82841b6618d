/**
 * `/proc/<pid>/status`.
 */
import * as Option from "effect/Option"

/**
 * The lines that are used.
 */
export interface ProcessStatus {
  /** The effective user. */
  readonly user: number
  /** Its pids in the pid namespaces below ours, outermost first. */
  readonly innerPids: ReadonlyArray<number>
}

/**
 * Reads the effective user and the pids. A kernel that does not tell the pids has no namespaces.
 */
export const parse = (text: string): Option.Option<ProcessStatus> => {
  const user = /^Uid:\t[0-9]+\t([0-9]+)\t/m.exec(text)?.[1]
  const pids = /^NSpid:((?:\t[0-9]+)+)$/m.exec(text)?.[1]
  return user === undefined
    ? Option.none()
    : Option.some({ user: Number(user), innerPids: pids === undefined ? [] : pids.split("\t").slice(2).map(Number) })
}
