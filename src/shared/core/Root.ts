/**
 * Where the stores lie.
 */

/**
 * The root that a program works on: the argument, else `TRUSTY_MPM_ROOT`, else `.trusty-mpm` in the home directory. An
 * empty one counts as not given.
 */
export const resolve = (given: {
  readonly argument?: string | undefined
  readonly variable?: string | undefined
  readonly home: string
}): string => given.argument || given.variable || `${given.home}/.trusty-mpm`

/** The sidecar directory of a root. */
export const sidecar = (root: string): string => `${root}/usage/session-links`

/** The savings ledger of a root. */
export const ledger = (root: string): string => `${root}/usage/savings.jsonl`

/** The record store of a root. */
export const store = (root: string): string => `${root}/session-manager/sessions.json`

/**
 * The root that a record store belongs to, or `undefined` when it does not lie in a directory named `session-manager`.
 */
export const ofStore = (store: string): string | undefined => {
  const match = /^(?:([^]*)\/)?session-manager\/[^/]+$/.exec(store)
  return match === null ? undefined : match[1] === "" ? "/" : (match[1] ?? ".")
}
