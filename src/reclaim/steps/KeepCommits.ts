import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Kept from "./Kept.ts"
import { type CarryOut, gitDir, isThere, maxBytes, type Tools, worded } from "./Tools.ts"

/**
 * A commit that a remote branch alone knows is kept too: a fetch that prunes takes that branch away.
 */
export const carryOut: CarryOut<"KeepCommits"> = (tools, step) =>
  Effect.gen(function* () {
    const { fs, read } = tools
    const admin = `--git-dir=${step.adminDirectory}`
    if (yield* isThere(fs, `${step.adminDirectory}/reftable`)) {
      return yield* Effect.fail(
        "its refs are kept as reftable, where the log of HEAD cannot be read whole; remove it by hand if nobody needs it"
      )
    }
    const log = yield* logsOf(fs, step.adminDirectory)
    const named = yield* typesOf(tools, yield* namedByFiles(fs, step.adminDirectory))
    const own = ["refs/worktree", "refs/bisect", "refs/rewritten"]
    const refs = yield* read([admin, "for-each-ref", "--format=%(objectname)", ...own])
    const head = (yield* read([admin, "rev-parse", "--verify", "HEAD^{commit}"])).trim()
    const logged = [
      ...log.split("\n").flatMap((line) => line.split(" ", 2)),
      ...named.filter(({ type }) => type === "commit").map(({ id }) => id)
    ].filter((id) => /^[0-9a-f]{40,64}$/.test(id) && !/^0+$/.test(id))
    const ids = [...new Set(logged)]
    const unreachable = yield* onNoBranch(tools, ids)
    const prefix = Kept.prefixOf(step.name)
    const kept = yield* Kept.refs(tools, step.name)
    const isFirst = !kept.some(({ ref }) => ref === `${prefix}HEAD`)
    const known = new Set([...kept.map(({ id }) => id), ...(isFirst ? [head] : [])])
    const others = new Set(
      [
        head,
        ...refs.split("\n").filter((id) => id !== ""),
        // What is named need not be a commit, and where it is none there are few: they are kept as they are.
        ...named.filter(({ type }) => type !== "commit").map(({ id }) => id),
        ...ids.filter((id) => unreachable.has(id))
      ].filter((id) => !known.has(id))
    )
    const last = kept.reduce((highest, { ref }) => Math.max(highest, parseInt(ref.slice(prefix.length), 10) || 0), 0)
    yield* Kept.update(tools, step.name, [
      ...(isFirst ? [`create ${prefix}HEAD ${head}\n`] : []),
      ...[...others].map((id, index) => `create ${prefix}${last + index + 1} ${id}\n`)
    ])
    return []
  })

/** Those commits that no branch and no tag reaches. */
const onNoBranch = Effect.fnUntraced(function* (
  tools: Tools,
  ids: ReadonlyArray<string>
): Effect.fn.Return<ReadonlySet<string>, string> {
  const found = new Set<string>()
  for (let start = 0; start < ids.length; start += idsPerCall) {
    const some = ids.slice(start, start + idsPerCall)
    const listed = yield* tools.read([
      gitDir(tools),
      "rev-list",
      "--ignore-missing",
      ...some,
      "--not",
      "--branches",
      "--tags"
    ])
    for (const id of listed.split("\n")) found.add(id)
  }
  return found
})

/** Those that are there, other than the tags that are refs. */
const typesOf = (tools: Tools, ids: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    if (ids.length === 0) return []
    const types = yield* tools.read(
      [gitDir(tools), "cat-file", "--batch-check=%(objectname) %(objecttype)"],
      ids.map((id) => `${id}\n`).join("")
    )
    const tags = yield* tools.read([gitDir(tools), "for-each-ref", "--format=%(objectname)", "refs/tags"])
    const known = new Set(tags.split("\n"))
    return types.split("\n").flatMap((line) => {
      const [id = "", type = ""] = line.split(" ")
      return /^(commit|tag|tree|blob)$/.test(type) && !known.has(id) ? [{ id, type }] : []
    })
  })

/**
 * A log holds names and subjects in any encoding, and so may other files; what is looked for in them is ASCII. Only a
 * regular file of bounded size is read: any other may never end.
 */
const asciiOf = (fs: FileSystem.FileSystem, path: string): Effect.Effect<string, string> =>
  fs.lstat(path).pipe(
    Effect.mapError((cause) => cause),
    Effect.flatMap((info) =>
      info.type === "Directory"
        ? Effect.succeed("")
        : info.type !== "File" || info.size > maxBytes
          ? Effect.fail({
              message: info.type === "File" ? "it is too large" : `it is a ${info.type}, not a regular file`
            })
          : Effect.map(fs.readFile(path), (bytes) => new TextDecoder("latin1").decode(bytes))
    ),
    Effect.catchIf(
      (cause) => "reason" in cause && cause.reason._tag === "NotFound",
      () => Effect.succeed("")
    ),
    Effect.mapError(
      ({ message }) =>
        `its ${path.slice(path.lastIndexOf("/") + 1)} could not be read: ${message}; repair or remove ${path}`
    )
  )

/** Those of `HEAD` and of refs of its own. */
const logsOf = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  adminDirectory: string
): Effect.fn.Return<string, string> {
  const logs = `${adminDirectory}/logs`
  const names = (yield* isThere(fs, logs)) ? yield* worded(fs.readDirectory(logs, { recursive: true })) : []
  const texts = yield* Effect.forEach(names, (name) => asciiOf(fs, `${logs}/${name}`))
  return texts.join("\n")
})

/**
 * What the files of an admin directory name that git takes for refs by their names alone: each id with which a line
 * begins. A directory is no ref, and `HEAD` is for git to resolve.
 */
const namedByFiles = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  adminDirectory: string
): Effect.fn.Return<ReadonlyArray<string>, string> {
  const names = yield* worded(fs.readDirectory(adminDirectory))
  const texts = yield* Effect.forEach(
    names.filter((name) => /^[A-Z0-9_-]+$/.test(name) && name !== "HEAD").sort(),
    (name) => asciiOf(fs, `${adminDirectory}/${name}`)
  )
  return texts.flatMap((text) => text.match(/^([0-9a-f]{64}|[0-9a-f]{40})(?![0-9a-f])/gim) ?? [])
})

const idsPerCall = 500
