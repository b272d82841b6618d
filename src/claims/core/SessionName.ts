/**
 * The names of tmux sessions.
 */

/** What the names of managed sessions begin with, unless set. */
const managedPrefixes: ReadonlyArray<string> = ["tm-", "tmpm-", "trusty-mpm-"]

/**
 * Whether a session of that name is one that a manager would have made.
 */
export const isManaged = (name: string, prefixes: ReadonlyArray<string> = managedPrefixes): boolean =>
  prefixes.some((prefix) => name.startsWith(prefix))

/**
 * Whether tmux lists a session of that name exactly as it was asked for: it turns `.` and `:` into `_`, escapes `$`
 * and `\`, expands `#`, and prints other characters by locale.
 */
export const isListable = (name: string): boolean => /^[A-Za-z0-9_-]+$/.test(name)
