/**
 * Which settings of a repository make git share the refs under `refs/reclaimed/` with a remote.
 */
import type * as GitConfig from "./GitConfig.ts"

const ours = "refs/reclaimed/"

/**
 * The first such setting of a repository; `undefined` when there is none. A fetch that prunes would delete refs of ours, and
 * a push would publish them.
 */
export const sharing = (config: GitConfig.GitConfig): string | undefined => {
  for (const [key, values] of config) {
    const name = /^remote\.[^]*\.(fetch|push|mirror)$/.exec(key)?.[1]
    const isShared = (value: string) =>
      name === "mirror" ? !/^(false|no|off|0+|)$/i.test(value) : covers(sideOf(value, name === "push" ? 0 : 1))
    const value = name === undefined ? undefined : values.find(isShared)
    if (value !== undefined) return `${key} = ${value} covers refs/reclaimed; narrow it to refs/heads`
  }
  return undefined
}

/** What a refspec names on our side: the source of a push, the destination of a fetch. */
const sideOf = (refspec: string, side: 0 | 1): string =>
  refspec.startsWith("^") ? "" : (refspec.replace(/^\+/, "").split(":")[side] ?? "")

const covers = (pattern: string): boolean => {
  const star = pattern.indexOf("*")
  if (star === -1) return pattern.startsWith(ours)
  const prefix = pattern.slice(0, star)
  return ours.startsWith(prefix) || prefix.startsWith(ours)
}
