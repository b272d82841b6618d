/**
 * The flags and submodules that a git index holds, read from its bytes as git's `index-format` describes them.
 */
import type * as GitFacts from "./GitFacts.ts"

export interface GitIndex {
  readonly flagged: ReadonlyArray<GitFacts.Flagged>
  /** The directories of submodules, initialised or not. */
  readonly submodules: ReadonlyArray<string>
}

/**
 * Reads a whole index of version 2 to 4, or gives `undefined` for one that only git can read: of another version or shape,
 * split, or with an extension that has to be understood. `hashBytes` is the length of an object's name.
 */
export const parse = (bytes: Uint8Array, hashBytes: number): GitIndex | undefined => {
  const flagged: Array<GitFacts.Flagged> = []
  const submodules: Array<string> = []
  const isWhole = read(bytes, hashBytes, ({ name, mode, flags, more }) => {
    if ((flags & assumeUnchanged) !== 0) flagged.push({ path: decode(name), flag: "assume-unchanged" })
    if ((more & skipWorktree) !== 0) flagged.push({ path: decode(name), flag: "skip-worktree" })
    if (mode === gitlink) submodules.push(decode(name))
  })
  return isWhole ? { flagged, submodules } : undefined
}

/**
 * The path of every entry, or `undefined` for an index that only git can read.
 */
export const paths = (bytes: Uint8Array, hashBytes: number): ReadonlyArray<string> | undefined => {
  const found: Array<string> = []
  return read(bytes, hashBytes, ({ name }) => void found.push(decode(name))) ? found : undefined
}

const assumeUnchanged = 0x8000
const extended = 0x4000
const skipWorktree = 0x4000
const gitlink = 0o160000
const sparseDirectory = 0o040000

interface Entry {
  readonly name: Uint8Array
  readonly mode: number
  readonly flags: number
  readonly more: number
}

/** Whether the index could be read to its end. */
const read = (bytes: Uint8Array, hashBytes: number, onEntry: (entry: Entry) => void): boolean => {
  try {
    return readWhole(bytes, hashBytes, onEntry)
  } catch {
    return false
  }
}

const readWhole = (bytes: Uint8Array, hashBytes: number, onEntry: (entry: Entry) => void): boolean => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = bytes.length - hashBytes
  const version = view.getUint32(4)
  if (view.getUint32(0) !== 0x44495243 || version < 2 || version > 4) return false
  let at = 12
  let name: Uint8Array = new Uint8Array()
  for (let count = view.getUint32(8); count > 0; count--) {
    const start = at
    const mode = view.getUint32(start + 24)
    if (mode === sparseDirectory) return false
    const flags = view.getUint16(start + 40 + hashBytes)
    const more = (flags & extended) === 0 ? 0 : view.getUint16(start + 42 + hashBytes)
    at = start + 42 + hashBytes + ((flags & extended) === 0 ? 0 : 2)
    if (version < 4) {
      const last = bytes.indexOf(0, at)
      if (last === -1) return false
      name = bytes.subarray(at, last)
      at = start + ((last - start + 8) & ~7)
    } else {
      const cut = varint(bytes, at)
      const last = bytes.indexOf(0, cut.next)
      if (last === -1 || cut.value > name.length) return false
      const kept = name.subarray(0, name.length - cut.value)
      const joined = new Uint8Array(kept.length + last - cut.next)
      joined.set(kept)
      joined.set(bytes.subarray(cut.next, last), kept.length)
      name = joined
      at = last + 1
    }
    onEntry({ name, mode, flags, more })
  }
  return isUnderstood(bytes, view, at, end)
}

/** An extension whose name begins with a capital letter may be passed over. Entries that went too far do not end here. */
const isUnderstood = (bytes: Uint8Array, view: DataView, from: number, end: number): boolean => {
  let at = from
  while (at < end) {
    const first = bytes[at] ?? 0
    if (first < 0x41 || first > 0x5a) return false
    at += 8 + view.getUint32(at + 4)
  }
  return at === end
}

/** As git packs offsets: seven bits a byte, the first ones first, and one more for each that follows. */
const varint = (bytes: Uint8Array, from: number): { readonly value: number; readonly next: number } => {
  let at = from
  let byte = bytes[at++] ?? 0
  let value = byte & 0x7f
  while ((byte & 0x80) !== 0) {
    byte = bytes[at++] ?? 0
    value = (value + 1) * 128 + (byte & 0x7f)
  }
  return { value, next: at }
}

const decoder = new TextDecoder("utf-8", { fatal: true })

const decode = (name: Uint8Array): string => decoder.decode(name)
