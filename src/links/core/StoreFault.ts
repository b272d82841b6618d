/**
 * What is said of a store that gave no answer.
 */

/** Of an entry of the sidecar, or of the sidecar directory. */
export const inSidecar = {
  Vanished: (path: string): string => `${path} vanished while it was read; ask again`,
  NotRegular: (path: string): string => `${path} is not a regular file; move it out of the sidecar`,
  TooLarge: (path: string): string => `${path} is larger than 1 MiB and may not end; move it out of the sidecar`,
  Unreadable: (path: string): string => `${path} could not be read; check that it exists and that you may read it`
}

/** Of the ledger. */
export const inLedger = {
  NotRegular: (path: string): string => `${path} is not a regular file; move it away`,
  Unreadable: (path: string): string => `${path} could not be read to its end; check that you may read it`,
  Unwritten: (path: string): string => `${path} did not take the row; check permissions and free space`
}
