/**
 * Registrations without a directory, and directories without a registration, for a person and for a program.
 */
import { Clock, Effect } from "effect"
import { Flag } from "effect/cli"
import { Reclaim, ReclaimOrphan, Shell } from "../internal.ts"
import * as Paths from "./Paths.ts"
import * as Screen from "./Screen.ts"
import * as Sizes from "./Sizes.ts"

export const stores = Flag.String("store").pipe(
  Flag.atLeast(0),
  Flag.withMetavar("DIR"),
  Flag.withDescription(
    "a directory in which agents keep worktrees, besides .claude/worktrees; may be given more than once"
  )
)

/** Looks for both and says what settles each. Gives how many directories are empty and may go. */
export const print = Effect.fnUntraced(function* (options: Reclaim.RemoveEmptyOptions, json: boolean) {
  const { gone, orphans } = yield* Reclaim.lost(options)
  for (const { path, repository } of gone) {
    const [repair, prune] = ["repair", "prune"].map((what) =>
      Shell.command("git", `--git-dir=${repository}`, "worktree", what)
    )
    const settle = `if it or its repository was moved: \`${repair} NEW-PATH\`; if it was removed: \`${prune}\``
    Screen.out(
      json
        ? Screen.json({ gone: path, repository, settle })
        : Screen.printable(`gone      ${Paths.shown(path)}: its directory is not there; ${settle}`)
    )
  }
  const { trees } = yield* Sizes.measure({ trees: orphans.map(({ path, store }) => ({ path, repository: store })) })
  for (const [index, orphan] of orphans.entries()) {
    const size = trees[index]
    const settle = ReclaimOrphan.settles(orphan)
    Screen.out(
      json
        ? Screen.json({ orphan: orphan.path, kind: orphan.kind, ...(size && Sizes.fields(size)), settle })
        : Screen.printable(`orphan    ${Paths.shown(orphan.path)} (${size ? Sizes.text(size) : "unknown"}): ${settle}`)
    )
  }
  const now = yield* Clock.currentTimeMillis
  return orphans.filter(
    (orphan) => orphan.kind === "Empty" && ReclaimOrphan.keeps(orphan, process.geteuid?.(), now, options) === undefined
  ).length
})
