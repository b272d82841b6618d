/**
 * A root with link files, a ledger and records, described by what was done to it rather than by its bytes, so that what
 * is true of it is known without reading it.
 */

/** The root that every world lies under. */
export const root = "/root"

/** The instant at which a world is looked at, in milliseconds since the epoch: long after anything was written. */
export const now = 400 * 24 * 60 * 60 * 1000

/**
 * One line of a link file.
 */
export type Line =
  | { readonly _tag: "Id"; readonly id: string; readonly before: string; readonly after: string }
  | { readonly _tag: "Nothing"; readonly text: string }
  | { readonly _tag: "Cancelled"; readonly fragment: Uint8Array }
  | { readonly _tag: "Damage"; readonly bytes: Uint8Array }

/**
 * One entry of the sidecar directory. `readable: false` is a file without permissions.
 */
export type Entry =
  | {
      readonly _tag: "LinkFile"
      readonly lines: ReadonlyArray<Line>
      /** What stands behind the last newline; a write that did not finish, if there is anything. */
      readonly tail: Uint8Array
      readonly readable: boolean
      readonly age: "old" | "young"
    }
  | { readonly _tag: "Directory" }
  | { readonly _tag: "Fifo" }
  /** A link: to another entry by its name, or to something that cannot be read. */
  | { readonly _tag: "Link"; readonly to: string }

/** How the sidecar directory itself stands. */
export type Directory = "Present" | "Absent" | "Forbidden" | "Dangling" | "NoDirectory"

/**
 * One line of the savings ledger.
 */
export type LedgerLine =
  | { readonly _tag: "Row"; readonly id: string; readonly tokens: number; readonly usd: number }
  | { readonly _tag: "BadRow"; readonly id: string }
  | { readonly _tag: "Garbage"; readonly text: string }
  | { readonly _tag: "Nothing"; readonly text: string }

export type Ledger =
  | { readonly _tag: "Absent" | "Fifo" | "Directory" | "Forbidden" }
  | { readonly _tag: "File"; readonly lines: ReadonlyArray<LedgerLine>; readonly tail: string }

export type Store =
  | { readonly _tag: "Absent" | "Fifo" | "Malformed" | "Forbidden" }
  | { readonly _tag: "File"; readonly decoded: ReadonlyArray<string>; readonly undecoded: ReadonlyArray<string> }

export interface LinkWorld {
  readonly directory: Directory
  /** Names are unique. */
  readonly entries: ReadonlyArray<{ readonly name: string; readonly entry: Entry }>
  readonly ledger: Ledger
  readonly store: Store
}
