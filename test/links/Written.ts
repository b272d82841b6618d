/**
 * Which ids a writer records where, known to it and to the test.
 */

export const files: ReadonlyArray<string> = ["alpha", "beta", "gamma"]

/**
 * The `n`th link of `writer`. Ids are of many lengths, so that a splice could not pass for one.
 */
export const link = (writer: string, n: number): { readonly file: string; readonly id: string } => ({
  file: files[n % files.length] ?? "",
  id: `${writer}-${n}-${"x".repeat((n * 7) % 61)}-end`
})
