/**
 * What processes use, as two tables of `ps` and the answer of `lsof` between them tell it.
 */
import type * as Lsof from "./Lsof.ts"
import * as MacMounts from "./MacMounts.ts"
import { descendants, isZombie, type Process, type ProcessList } from "./Processes.ts"

/**
 * The list that was asked about, and what was seen after it.
 */
export interface Seen {
  readonly list: ProcessList
  readonly holders: ReadonlyArray<Lsof.Holder>
  readonly after: ReadonlyArray<Process>
  readonly mounts: ReadonlyArray<MacMounts.MacMount>
  /** The devices of the mounts on which a candidate can be permitted; `undefined` where some are not known. */
  readonly devices: ReadonlySet<number> | undefined
}

/**
 * The first process of which something was not told, and what. One that is ending or has gone uses nothing any more, and
 * other users' processes are not shown.
 */
export const missing = ({
  list,
  holders,
  after
}: Seen): { readonly pid: number; readonly what: string } | undefined => {
  const running = new Map(after.filter((process) => !isZombie(process)).map((process) => [process.pid, process]))
  const torn = holders.find((holder) => holder.missing !== undefined && running.has(holder.pid))
  if (torn?.missing !== undefined) return { pid: torn.pid, what: torn.missing }
  const listed = new Set(holders.map(({ pid }) => pid))
  const hidden = list.processes.find(
    (process) =>
      (process.user === list.self.user || list.self.user === 0) &&
      !isZombie(process) &&
      running.get(process.pid)?.startedAt === process.startedAt &&
      !listed.has(process.pid)
  )
  return hidden === undefined
    ? undefined
    : { pid: hidden.pid, what: `lsof leaves it out (${hidden.name}); a sandbox hides the processes outside of it` }
}

/**
 * One use of a file by one of its paths.
 */
export interface FileUse {
  readonly pid: number
  readonly kind: Lsof.HeldFile["kind"]
  readonly path: string
}

/**
 * A use of a file that may have other names than the one that was printed.
 */
export interface LinkedUse {
  readonly pid: number
  readonly device: number
  readonly inode: string
}

/**
 * The uses of files on which a candidate may lie. On other devices nothing is looked up: a look at a dead share waits for
 * it. What this process has started since does not count.
 */
export const of = (
  seen: Seen
): { readonly paths: ReadonlyArray<FileUse>; readonly linked: ReadonlyArray<LinkedUse> } => {
  const own = descendants({ ...seen.list, processes: seen.after })
  const paths: Array<FileUse> = []
  const linked: Array<LinkedUse> = []
  for (const { pid, files } of seen.holders) {
    if (own.has(pid) && pid !== seen.list.self.pid) continue
    for (const file of files.filter((each) => mayMatter(seen, each))) {
      for (const path of file.paths) {
        if (!MacMounts.isAway(seen.mounts, path)) paths.push({ pid, kind: file.kind, path })
      }
      if (file.regular && file.links !== 1 && file.device !== undefined && file.inode !== undefined) {
        linked.push({ pid, device: file.device, inode: file.inode })
      }
    }
  }
  return { paths, linked }
}

const mayMatter = ({ devices }: Seen, { device }: Lsof.HeldFile): boolean =>
  device === undefined || devices === undefined || devices.has(device)
