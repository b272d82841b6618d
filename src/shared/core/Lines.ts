/**
 * Text that comes in pieces, cut into lines.
 */

const LF = 0x0a

/**
 * `push` takes the next piece; `rest` is what stands behind the last newline so far.
 */
export interface Lines {
  /** Lines at which the sticky `uninteresting` matches, newline included, are passed over. */
  readonly push: (piece: string, uninteresting?: RegExp | undefined) => void
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

/**
 * `push` takes the next piece, whose memory may be used again afterwards; `end` says that there is no other.
 */
export interface Decoder {
  readonly push: (piece: Uint8Array) => void
  readonly end: () => void
}

/**
 * Hands over text that comes in pieces of UTF-8. What is handed over ends with a newline, except at the end, so that no
 * character is cut and each stretch is decoded at once. Bytes that are no UTF-8 are U+FFFD.
 */
export const decode = (onText: (text: string) => void): Decoder => {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
  let begun: Array<Uint8Array> = []
  const flush = (last: Uint8Array): void => {
    const bytes = begun.length === 0 ? last : concat([...begun, last])
    begun = []
    if (bytes.length > 0) onText(decoder.decode(bytes))
  }
  return {
    push: (piece) => {
      const end = piece.lastIndexOf(LF) + 1
      if (end > 0) flush(piece.subarray(0, end))
      if (end < piece.length) begun.push(Uint8Array.prototype.slice.call(piece, end))
    },
    end: () => flush(new Uint8Array())
  }
}

/** The parts, one after another. */
export const concat = (parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
