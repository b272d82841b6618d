import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { SessionLinks } from "session-liveness"
import { Root } from "../../src/internal.ts"
import { layerSidecar } from "session-liveness/node"
import { type Benchmark, compare, must } from "./Bench.ts"
import * as Stores from "./Stores.ts"

/** So many records are one run, each to a link file of its own. */
const count = 500

const sessions = Array.from({ length: count }, (_, n) => n)

/** Minted after every id that is listed. */
const minted = (n: number): string => Stores.claudeId(1_000_000 + n)

export const benchmark: Benchmark = {
  name: "record",
  about: "recordLink, against the six system calls that its rules need",
  run: async (stage) => {
    const root = stage.directory()
    const bareRoot = stage.directory()
    const files = Stores.linkFiles(bareRoot, count)
    const anew = (root: string) => () => {
      fs.rmSync(Root.sidecar(root), { recursive: true, force: true })
      Stores.linkFiles(root, count)
    }
    const record = Effect.forEach(sessions, (n) => SessionLinks.recordLink(Stores.managedId(n), minted(n))).pipe(
      Effect.provide(layerSidecar({ root }))
    )
    const recordAll = async () => {
      const written = await Effect.runPromise(record)
      must(written.every(Boolean), "a link was not written")
    }
    const buffer = Buffer.allocUnsafe(64 * 1024)
    const { O_APPEND, O_NONBLOCK, O_RDWR } = fs.constants
    const append = (file: string, text: string) => {
      const fd = fs.openSync(file, O_RDWR | O_APPEND | O_NONBLOCK)
      fs.fstatSync(fd)
      fs.readSync(fd, buffer, 0, buffer.length, null)
      fs.lstatSync(path.join(path.dirname(file), path.basename(file).toUpperCase()), { throwIfNoEntry: false })
      fs.writeSync(fd, text)
      fs.closeSync(fd)
    }
    const figure = await compare(stage, {
      what: `\`recordLink\` of a new id to a link file of 3, ${count} times, \`layerSidecar\``,
      rival: "open, fstat, read, lstat of the other spelling, write and close, of the same bytes",
      atMost: 1.5,
      subject: { prepare: anew(root), run: recordAll },
      against: { prepare: anew(bareRoot), run: () => files.forEach((file, n) => append(file, `${minted(n)}\n`)) },
      pairs: 41
    })
    const same = (n: number) =>
      fs.readFileSync(path.join(Root.sidecar(root), Stores.managedId(n))).equals(fs.readFileSync(files[n] ?? ""))
    must(sessions.every(same), "the two wrote other bytes")
    return [figure]
  }
}
