/**
 * Which settings of a repository make git share the refs under `refs/reclaimed/` with a remote.
 */

const ours = "refs/reclaimed/"

/**
 * The first such setting in what `git config --null --get-regexp` prints about remotes; `undefined` when there is none. A
 * fetch that prunes would delete refs of ours, and a push would publish them.
 */
export const sharing = (text: string): string | undefined => {
  for (const entry of text.split("\0").filter((line) => line !== "")) {
    const [key = "", value = "true"] = split(entry, "\n")
    const isShared = key.endsWith(".mirror")
      ? !/^(false|no|off|0+|)$/i.test(value)
      : covers(sideOf(value, key.endsWith(".push") ? 0 : 1))
    if (isShared) return `${key} = ${value}`
  }
  return undefined
}

/** What a refspec names on our side: the source of a push, the destination of a fetch. */
const sideOf = (refspec: string, side: 0 | 1): string =>
  refspec.startsWith("^") ? "" : (refspec.replace(/^\+/, "").split(":")[side] ?? "")

const covers = (pattern: string): boolean => {
  const [prefix = "", rest] = split(pattern, "*")
  return rest === undefined ? pattern.startsWith(ours) : ours.startsWith(prefix) || prefix.startsWith(ours)
}

const split = (text: string, sign: string): readonly [string, string?] => {
  const at = text.indexOf(sign)
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}
