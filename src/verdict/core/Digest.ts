/**
 * A change as text by which it is known again elsewhere: the same but for where in the files it stands.
 */

/** What `git diff-tree` is asked for: all of `parse` rests on these. `GIT_DIFF_OPTS` is not handed on. */
export const diffOptions: ReadonlyArray<string> = [
  "--stdin",
  "--always",
  "-r",
  "--root",
  "-p",
  "-U3",
  "--inter-hunk-context=0",
  "--diff-algorithm=myers",
  "--no-indent-heuristic",
  "--full-index",
  "--no-renames",
  "--no-relative",
  "--no-color",
  "--no-ext-diff",
  "--no-textconv",
  // One for both sides: an inverse change swaps them.
  "--src-prefix=x/",
  "--dst-prefix=x/",
  "--ignore-submodules=none"
]

/**
 * The digests of as many changes as were asked for, in that order; `undefined` for what has none: an empty change, and one
 * whose text is not UTF-8, of which two may read alike. The whole is `undefined` when it has another shape.
 */
export const parse = (text: string, asked: ReadonlyArray<string>): ReadonlyArray<string | undefined> | undefined => {
  const [before = "", ...changes] = `\n${text}`.split(/\n(?=[0-9a-f]{40,64}\n)/)
  const isAsked =
    before.trim() === "" &&
    changes.length === asked.length &&
    changes.every((change, index) => commitOf(change) === asked[index])
  return isAsked ? changes.map((change) => of(change.slice(commitOf(change).length + 1))) : undefined
}

const commitOf = (change: string): string => change.replace(/\n[^]*/, "")

const of = (diff: string): string | undefined => {
  const files = diff.split(/^(?=diff --git )/m).filter((file) => file.trim() !== "")
  return files.length === 0 || diff.includes("\ufffd") ? undefined : files.map(ofFile).sort().join("\n")
}

/** Without hunks the objects are all that tells what changed. */
const ofFile = (file: string): string => {
  const text = file.replace(/\n$/, "")
  const lines = text.split("\n")
  const body = lines.findIndex((line) => line.startsWith("@@ "))
  if (body === -1) return text
  return [
    ...lines.slice(0, body).filter((line) => !line.startsWith("index ")),
    ...lines.slice(body).map((line) => (line.startsWith("@@ ") ? "@@" : line))
  ].join("\n")
}
