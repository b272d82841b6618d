/**
 * What the file system in memory is made of.
 */
import * as ByteSize from "effect/ByteSize"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"

export interface Inode {
  readonly ino: bigint
  readonly device: bigint
  readonly type: "File" | "Directory" | "FIFO" | "SymbolicLink"
  readonly target: string
  readonly entries: Map<string, Entry>
  bytes: Uint8Array<ArrayBuffer>
  mode: number
  owner: number
  mtime: number
  links: number
}

export interface Entry {
  readonly name: string
  readonly inode: Inode
}

/** Where a path leads: the directory that holds its last name, and what stands there. */
export interface Place {
  readonly trail: ReadonlyArray<Entry>
  readonly name: string
  readonly inode: Inode | undefined
}

const typeBits = { File: 0o100000, Directory: 0o040000, FIFO: 0o010000, SymbolicLink: 0o120000 }

export const infoOf = (inode: Inode): FileSystem.File.Info => {
  const date = Option.some(new Date(inode.mtime))
  const size = inode.type === "SymbolicLink" ? encoder.encode(inode.target).length : inode.bytes.length
  return {
    type: inode.type,
    mtime: date,
    atime: date,
    birthtime: date,
    dev: inode.device,
    ino: Option.some(inode.ino),
    mode: typeBits[inode.type] | inode.mode,
    nlink: Option.some(BigInt(inode.links)),
    uid: Option.some(inode.owner),
    gid: Option.some(inode.owner),
    rdev: Option.some(0n),
    size: ByteSize.bytes(size),
    blksize: Option.some(ByteSize.bytes(4096)),
    blocks: Option.some(BigInt(Math.ceil(size / 512)))
  }
}

export const encoder = new TextEncoder()
