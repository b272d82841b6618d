/**
 * Recording and healing append, and do nothing else.
 */
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Option from "effect/Option"
import * as ClaudeId from "../../shared/core/ClaudeId.ts"
import * as ManagedId from "../../shared/core/ManagedId.ts"
import * as FakeFileSystem from "../FakeFileSystem.ts"
import { type Must, show } from "../Law.ts"
import * as LinkTruth from "./LinkTruth.ts"
import * as LinkWorld from "./LinkWorld.ts"
import { type Stage, law, programs, type Ask, recording, type Snapshot, encode, decode } from "./LinkStage.ts"
import { aftermath } from "../Program.ts"

/** L2. */
export const appendOnly = law(
  "L2 append only",
  "After any recordLink the old bytes are a prefix of the new bytes, and at most one id was added, the one asked for. Recording twice equals recording once. A heal adds nothing but the end of what is torn.",
  recording,
  Effect.fnUntraced(function* ({ world, ask, faults }, stage, must) {
    const { run, fake, injector } = yield* stage(world, faults)
    const { recordLink } = programs(ask, undefined)
    const before = fake.snapshot()
    const told = yield* run(recordLink)
    const added = yield* additions(before, fake.snapshot(), must)
    const target = recordable(world, ask)
    const line = target === undefined ? "" : `${target.torn ? "\u0018\n" : ""}${target.claudeId}\n`
    yield* must(added.every(begins(line)) && added.length <= 1, () => `it wrote ${show(added.map(decode))}`)
    yield* must(fake.writes().length <= 1, () => `it took ${fake.writes().length} writes`)
    yield* must(
      !told || (target?.listed === false && Equal.equals(added[0], encode(line))),
      () => "it says true and wrote no link"
    )
    if (injector.injected.length === 0) {
      yield* must(told === (target?.listed === false), () => `without faults it says ${told}`)
    }
    injector.stop()
    yield* aftermath
    const again = yield* run(recordLink)
    const once = fake.snapshot()
    yield* must(!(told && again), () => "it says true twice for one link")
    yield* must(!(yield* run(recordLink)), () => "it says true for what is recorded")
    yield* must(Equal.equals(fake.snapshot(), once), () => "recording twice is not recording once")
    yield* healAddsEnds(yield* stage(world, faults), world, must)
  })
)

const healAddsEnds = Effect.fnUntraced(function* (
  { run, fake, injector }: Stage,
  world: LinkWorld.LinkWorld,
  must: Must
) {
  const before = fake.snapshot()
  const healed = yield* run(programs({ managedId: "", claudeId: "" }, undefined).heal)
  const added = yield* additions(before, fake.snapshot(), must)
  const torn = LinkTruth.torn(world)
  yield* must(added.every(begins("\u0018\n")), () => `heal wrote ${show(added.map(decode))}`)
  yield* must(added.length >= healed.length, () => `heal says ${show(healed)} and wrote ${show(added)}`)
  if (injector.injected.length > 0) return
  yield* must(Equal.equals(healed, torn), () => `without faults heal gives ${show(healed)}, torn were ${show(torn)}`)
})

/** Where a record may go, or `undefined` where it must be refused. */
const recordable = (world: LinkWorld.LinkWorld, ask: Ask) => {
  const managedId = Option.getOrUndefined(ManagedId.parse(ask.managedId))
  const claudeId = Option.getOrUndefined(ClaudeId.parse(ask.claudeId))
  if (managedId === undefined || claudeId === undefined) return undefined
  if (world.directory !== "Present" && world.directory !== "Absent") return undefined
  const there = world.directory === "Present" && world.entries.some(({ name }) => name === managedId)
  if (!there) return { claudeId, torn: false, listed: false }
  const content = LinkTruth.contentOf(world, managedId)
  return content === undefined ? undefined : { claudeId, torn: content.torn, listed: content.ids.includes(claudeId) }
}

/** Whether bytes are the beginning of a text. They may end within a character. */
const begins =
  (text: string) =>
  (bytes: Uint8Array): boolean =>
    Equal.equals(encode(text).subarray(0, bytes.length), bytes)

/**
 * The bytes that were appended; anything else that changed breaks the law, but for empty files and directories that are
 * new and their owner's alone.
 */
const additions = Effect.fnUntraced(function* (before: Snapshot, after: Snapshot, must: Must) {
  const added: Array<Uint8Array> = []
  for (const [path, old] of Object.entries(before)) {
    const now = after[path]
    if (now !== undefined && "bytes" in now && "bytes" in old) {
      yield* must(Equal.equals(now.bytes.slice(0, old.bytes.length), old.bytes), () => `${path} was rewritten`)
      if (now.bytes.length > old.bytes.length) added.push(now.bytes.subarray(old.bytes.length))
    } else yield* must(now !== undefined && sameKind(now, old), () => `${path} was removed or replaced`)
  }
  for (const [path, now] of Object.entries(after)) {
    if (before[path] !== undefined) continue
    yield* must(((now.mode ?? 0) & 0o077) === 0, () => `${path} can be read by others`)
    yield* must("bytes" in now || "dir" in now, () => `${path} is neither file nor directory`)
    if ("bytes" in now && now.bytes.length > 0) added.push(now.bytes)
  }
  return added
})

const sameKind = (a: FakeFileSystem.Seen, b: FakeFileSystem.Seen): boolean =>
  ("dir" in a && "dir" in b) ||
  ("fifo" in a && "fifo" in b) ||
  ("symlink" in a && "symlink" in b && a.symlink === b.symlink)
