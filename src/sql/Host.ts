/**
 * Whose rows are meant.
 */
export interface Host {
  /** What this host is called in every row, the same for as long as it lives: `/etc/machine-id`, say. */
  readonly host: string
}
