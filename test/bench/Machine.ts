/**
 * What the figures were taken on.
 */
import * as fs from "node:fs"
import * as os from "node:os"

export interface Machine {
  readonly at: string
  readonly cpu: string
  readonly cores: number
  /** The load averages at the start, over 1, 5 and 15 minutes. */
  readonly load: ReadonlyArray<number>
  readonly memoryGiB: number
  readonly kernel: string
  readonly node: string
  /** The file system of the temporary roots. */
  readonly fileSystem: string
}

export const look = (): Machine => ({
  at: new Date().toISOString().slice(0, 16).replace("T", " "),
  cpu: os.cpus()[0]?.model ?? "unknown",
  cores: os.cpus().length,
  load: os.loadavg().map((load) => Math.round(load * 100) / 100),
  memoryGiB: Math.round(os.totalmem() / 2 ** 30),
  kernel: `${os.type()} ${os.release()}`,
  node: process.version,
  fileSystem: fileSystems[fs.statfsSync(os.tmpdir()).type] ?? "another file system"
})

const fileSystems: Readonly<Record<number, string>> = {
  0xef53: "ext4",
  0x01021994: "tmpfs",
  0x794c7630: "overlayfs",
  0x9123683e: "btrfs",
  0x58465342: "xfs",
  0x2fc12fc1: "zfs"
}

export const line = (machine: Machine): string =>
  `${machine.at} UTC, ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGiB} GiB, load ${machine.load.join(" ")} at the start, ${
    machine.kernel
  }, Node ${machine.node}, temporary roots on ${machine.fileSystem}`
