/**
 * The names that records and tmux servers use.
 */

/**
 * The names that records use: whether a manager would have given them, and whether tmux lists such a session exactly so.
 */
export const names: Readonly<Record<string, { readonly managed: boolean; readonly listable: boolean }>> = {
  "tm-a": { managed: true, listable: true },
  "tm-b": { managed: true, listable: true },
  "tm-ab": { managed: true, listable: true },
  "tmpm-c_1": { managed: true, listable: true },
  "trusty-mpm-d": { managed: true, listable: true },
  "tm-a.b": { managed: true, listable: false },
  "tm-a b": { managed: true, listable: false },
  "tm-é": { managed: true, listable: false },
  "tm-#{pid}": { managed: true, listable: false },
  "TM-a": { managed: false, listable: true },
  "my-tm-a": { managed: false, listable: true },
  work: { managed: false, listable: true },
  "": { managed: false, listable: false }
}

/** What a server may list besides: a name with white space around it, by the name within. */
export const padded: Readonly<Record<string, string>> = { " tm-a": "tm-a", "tm-b\u3000": "tm-b" }
