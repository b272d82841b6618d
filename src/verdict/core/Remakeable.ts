/**
 * Ignored files that can be made again from what is committed.
 */

/** Names of files and directories that tools make anew, unless set. What may hold results by hand is not among them. */
export const names: ReadonlySet<string> = new Set([
  ".gradle",
  ".mypy_cache",
  ".next",
  ".nuxt",
  ".parcel-cache",
  ".pytest_cache",
  ".ruff_cache",
  ".svelte-kit",
  ".tox",
  ".turbo",
  ".venv",
  "__pycache__",
  "node_modules",
  "target"
])

/**
 * Whether an ignored entry, as git writes it, is itself one of these. What lies in one need not be: git names a whole
 * directory when that is ignored, and a single file in it only when something there is tracked or ignored by itself.
 */
export const is = (path: string, remakeable: ReadonlySet<string> = names): boolean =>
  remakeable.has(path.replace(/\/$/, "").split("/").at(-1) ?? "")
