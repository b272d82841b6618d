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
 * Whether an ignored path, as git writes it, is or lies in one of these.
 */
export const is = (path: string, remakeable: ReadonlySet<string> = names): boolean =>
  path.split("/").some((segment) => remakeable.has(segment))
