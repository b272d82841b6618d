/**
 * What git's configuration says that bears on a survey.
 */
import * as GitList from "./GitList.ts"

/**
 * Every value of every variable, in the order in which git reads them. Sections and names are in small letters.
 */
export type GitConfig = ReadonlyMap<string, ReadonlyArray<string>>

/**
 * Reads what `git config --null --list` prints, or gives `undefined` when it has another shape.
 */
export const parse = (text: string): GitConfig | undefined => {
  const items = GitList.items(text)
  if (items === undefined) return undefined
  const config = new Map<string, Array<string>>()
  for (const item of items) {
    const end = item.indexOf("\n")
    const [key, value] = end === -1 ? [item, "true"] : [item.slice(0, end), item.slice(end + 1)]
    const values = config.get(key)
    if (values === undefined) config.set(key, [value])
    else values.push(value)
  }
  return config
}

/** The value that counts, which is the last one. */
export const last = (config: GitConfig, key: string): string | undefined => config.get(key)?.at(-1)

export const isTrue = (config: GitConfig, key: string): boolean =>
  ["true", "yes", "on", "1"].includes(last(config, key)?.toLowerCase() ?? "")

/**
 * Whether a worktree of the repository may be told something else than the repository itself.
 */
export const differsByWorktree = (config: GitConfig): boolean =>
  isTrue(config, "extensions.worktreeconfig") || [...config.keys()].some((key) => key.startsWith("includeif."))

/**
 * The options that keep git from running what the configuration names, or `undefined` where that cannot be spelled.
 */
export const disarming = (config: GitConfig): ReadonlyArray<string> | undefined =>
  GitList.disarming([...config.keys()].join("\0"))
