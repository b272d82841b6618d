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
  /** In how many nested pid namespaces the process has a pid, ours included. */
  readonly namespaces: number
}

/**
 * Reads the effective user and the pid namespaces. A kernel that does not tell the namespaces has one.
 */
export const parse = (text: string): Option.Option<ProcessStatus> => {
  const user = /^Uid:\t[0-9]+\t([0-9]+)\t/m.exec(text)?.[1]
  const pids = /^NSpid:((?:\t[0-9]+)+)$/m.exec(text)?.[1]
  return user === undefined
    ? Option.none()
    : Option.some({ user: Number(user), namespaces: pids === undefined ? 1 : pids.split("\t").length - 1 })
}
