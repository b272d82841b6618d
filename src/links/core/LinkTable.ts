/**
 * A map from Claude ids to managed ids that takes little memory for hundreds of thousands of them: ids stay bytes, and
 * become text when they are asked for.
 */
import type { ClaudeId } from "../../shared/core/ClaudeId.ts"
import type { ManagedId } from "../../shared/core/ManagedId.ts"
import * as LinkFile from "./LinkFile.ts"
import * as Text from "../../shared/core/Text.ts"

type Managed = ReadonlyArray<ManagedId>

const LF = 0x0a
/** A link file fits into one. */
const blockBytes = LinkFile.largest
const longest = 255

/** Nearly every id is made of these bytes alone. */
const isPlain = Uint8Array.from({ length: 256 }, (_, byte) => Number(/[A-Za-z0-9._-]/.test(String.fromCharCode(byte))))

/** What is kept of an id: where it begins, its hash, and the number of its managed id. */
const fields = 3
/** In the place of that number: it has several. */
const several = -1

/**
 * Grows by what is added to it. Iterates in the order in which ids were first added.
 */
export class LinkTable implements ReadonlyMap<ClaudeId, Managed> {
  readonly [Symbol.toStringTag] = "Map"
  size = 0
  /** Ids, each ended by a newline. Blocks are never copied, so that none lies about until it is collected. */
  readonly #blocks: Array<Uint8Array> = [new Uint8Array(blockBytes)]
  /** The number of a block, and where in it the next id will begin. */
  #end = 0
  #ids = new Int32Array(32 * fields)
  /** The number of an id, counted from 1, at the place that its hash tells or at the next that was free. */
  #places = new Int32Array(128)
  readonly #managed: Array<ManagedId> = []
  readonly #several = new Map<number, Set<ManagedId>>()

  /**
   * Adds the ids of a link file that holds nothing but finished lines of plain ids. `false`: this one does not; some of
   * its ids may have been added.
   */
  addFile(managed: ManagedId, bytes: Uint8Array): boolean {
    if (bytes.length > blockBytes) return false
    const base = this.#put(bytes)
    const owner = this.#managed.push(managed) - 1
    let start = 0
    let hash = seed
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] as number
      if (isPlain[byte] === 1) hash = mixed(hash, byte)
      else if (byte === LF && at > start && at - start <= longest) {
        this.#add(base + start, hash, owner)
        start = at + 1
        hash = seed
      } else break
    }
    this.#end = base + start
    return start === bytes.length
  }

  /** Adds ids that are text. */
  addIds(managed: ManagedId, ids: ReadonlyArray<ClaudeId>): void {
    const owner = this.#managed.push(managed) - 1
    for (const id of ids) {
      const line = encoder.encode(`${id}\n`)
      const at = this.#put(line)
      this.#end += line.length
      this.#add(at, hashOf(line), owner)
    }
  }

  get(id: ClaudeId): Managed | undefined {
    const line = encoder.encode(`${id}\n`)
    if (line.length > longest + 1 || line.indexOf(LF) !== line.length - 1) return undefined
    const found = this.#places[this.#find(this.#put(line), hashOf(line))] as number
    return found === 0 ? undefined : this.#managedOf(found - 1)
  }

  has(id: ClaudeId): boolean {
    return this.get(id) !== undefined
  }

  *entries(): Generator<[ClaudeId, Managed], undefined> {
    for (let id = 0; id < this.size; id++) yield [this.#textOf(id), this.#managedOf(id)]
  }

  *keys(): Generator<ClaudeId, undefined> {
    for (let id = 0; id < this.size; id++) yield this.#textOf(id)
  }

  *values(): Generator<Managed, undefined> {
    for (let id = 0; id < this.size; id++) yield this.#managedOf(id)
  }

  [Symbol.iterator](): Generator<[ClaudeId, Managed], undefined> {
    return this.entries()
  }

  forEach(visit: (managed: Managed, id: ClaudeId, map: ReadonlyMap<ClaudeId, Managed>) => void): void {
    for (const [id, managed] of this) visit(managed, id, this)
  }

  /** Puts it behind what is kept, to be looked for or to be kept too, and tells where. */
  #put(bytes: Uint8Array): number {
    if (this.#end + bytes.length > this.#blocks.length * blockBytes) {
      this.#end = this.#blocks.length * blockBytes
      this.#blocks.push(new Uint8Array(blockBytes))
    }
    this.#blockAt(this.#end).set(bytes, this.#end % blockBytes)
    return this.#end
  }

  #blockAt(at: number): Uint8Array {
    return this.#blocks[Math.floor(at / blockBytes)] as Uint8Array
  }

  #add(at: number, hash: number, owner: number): void {
    const place = this.#find(at, hash)
    const known = this.#places[place] as number
    if (known !== 0) return this.#addTo(known - 1, owner)
    const next = this.size * fields
    if (next === this.#ids.length) {
      const more = new Int32Array(2 * next)
      more.set(this.#ids)
      this.#ids = more
    }
    this.#ids[next] = at
    this.#ids[next + 1] = hash
    this.#ids[next + 2] = owner
    this.#places[place] = ++this.size
    if (2 * this.size > this.#places.length) this.#spread()
  }

  /** The place of the id that begins there, or the free one where it belongs. */
  #find(at: number, hash: number): number {
    const last = this.#places.length - 1
    for (let place = hash & last; ; place = (place + 1) & last) {
      const id = (this.#places[place] as number) - 1
      if (id === -1 || (this.#ids[id * fields + 1] === hash && this.#isSame(this.#ids[id * fields] as number, at))) {
        return place
      }
    }
  }

  #isSame(one: number, other: number): boolean {
    const ours = this.#blockAt(one)
    const theirs = this.#blockAt(other)
    let at = one % blockBytes
    for (let from = other % blockBytes; ours[at] === theirs[from]; at++, from++) if (ours[at] === LF) return true
    return false
  }

  /** Takes twice as many places. */
  #spread(): void {
    const places = new Int32Array(2 * this.#places.length)
    const last = places.length - 1
    for (let id = 0; id < this.size; id++) {
      let place = (this.#ids[id * fields + 1] as number) & last
      while (places[place] !== 0) place = (place + 1) & last
      places[place] = id + 1
    }
    this.#places = places
  }

  #addTo(id: number, owner: number): void {
    const at = id * fields + 2
    const before = this.#ids[at] as number
    if (before === owner) return
    if (before !== several) this.#several.set(id, new Set([this.#managed[before] as ManagedId]))
    this.#ids[at] = several
    this.#several.get(id)?.add(this.#managed[owner] as ManagedId)
  }

  #managedOf(id: number): Managed {
    const owner = this.#ids[id * fields + 2] as number
    if (owner !== several) return [this.#managed[owner] as ManagedId]
    return [...(this.#several.get(id) ?? [])].sort(Text.compare)
  }

  #textOf(id: number): ClaudeId {
    const at = this.#ids[id * fields] as number
    const block = this.#blockAt(at)
    const start = at % blockBytes
    return decoder.decode(block.subarray(start, block.indexOf(LF, start))) as ClaudeId
  }
}

/** FNV-1a. */
const seed = 0x811c9dc5 | 0
const mixed = (hash: number, byte: number): number => Math.imul(hash ^ byte, 0x01000193)

/** Of a line, without its newline. */
const hashOf = (line: Uint8Array): number => line.subarray(0, -1).reduce(mixed, seed)

const encoder = new TextEncoder()
const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
