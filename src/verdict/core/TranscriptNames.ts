/**
 * How Claude Code names the directory in which it keeps the transcripts of a working directory.
 */

/** Claude Code cuts longer names and puts a hash behind them. */
const longest = 200

/**
 * What the name of every directory of transcripts of `path`, or of a directory in it, begins with: each UTF-16 unit of the
 * path but ASCII letters and digits is a dash.
 */
export const prefixOf = (path: string): string => path.replaceAll(/[^A-Za-z0-9]/g, "-").slice(0, longest)

/**
 * The newest working directory that the lines of a transcript tell, or of its end; `undefined` where none does.
 */
export const newestCwd = (lines: string): string | undefined => {
  for (const line of lines.split("\n").toReversed()) {
    try {
      const { cwd } = JSON.parse(line) as { readonly cwd?: unknown }
      if (typeof cwd === "string") return cwd
    } catch {
      // A line that was cut off, at either end, or `null`.
    }
  }
  return undefined
}
