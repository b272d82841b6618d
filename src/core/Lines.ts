/**
 * Text that comes in pieces, cut into lines.
 */

/**
 * `push` takes the next piece; `rest` is what stands behind the last newline so far.
 */
export interface Lines {
  /** Lines at which the sticky `uninteresting` matches, newline included, are passed over. */
  readonly push: (piece: string, uninteresting?: RegExp) => void
  readonly rest: () => string
}

/**
 * Hands over each finished line without its newline. Time and memory grow with the text alone, however it is cut.
 */
export const split = (onLine: (line: string) => void): Lines => {
  let begun: Array<string> = []
  const take = (end: string): string => {
    const line = begun.length === 0 ? end : begun.join("") + end
    begun = []
    return line
  }
  return {
    push: (piece, uninteresting) => {
      let start = 0
      for (;;) {
        if (uninteresting !== undefined && begun.length === 0) {
          uninteresting.lastIndex = start
          if (uninteresting.test(piece)) {
            start = uninteresting.lastIndex
            continue
          }
        }
        const end = piece.indexOf("\n", start)
        if (end === -1) break
        onLine(take(piece.slice(start, end)))
        start = end + 1
      }
      if (start < piece.length) begun.push(piece.slice(start))
    },
    rest: () => take("")
  }
}
