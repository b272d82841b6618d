/**
 * Programs in a pid namespace of their own: other tests of the same user run tmux servers at the same time, which no
 * program here can tell from those that it ought to have heard.
 */
import { spawnSync } from "node:child_process"
import * as path from "node:path"
import { Effect } from "effect"
import { type Given, type Outcome, project, start } from "./Program.ts"

const ways: ReadonlyArray<ReadonlyArray<string>> = [
  ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"],
  ["unshare", "--map-root-user", "--pid", "--fork", "--mount-proc", "--kill-child"]
]

const way = ways.find(([command = "", ...args]) => spawnSync(command, [...args, "true"]).status === 0)

/** Whether this machine allows it. */
export const allowed = way !== undefined && spawnSync("tmux", ["-V"]).status === 0

/**
 * Runs a file of the project with `--here`, after `prepare`, a line of bash; a tmux server that it starts ends with the
 * namespace. Its sockets lie in `$TMUX_TMPDIR`.
 */
export const run = (
  file: string,
  args: ReadonlyArray<string>,
  { prepare = "", ...given }: Given & { readonly prepare?: string | undefined }
): Effect.Effect<Outcome> => {
  const [command = "", ...options] = way ?? []
  const line = `${prepare}\n"$NODE" "$PROGRAM" --here "$@"`
  return start(command, [...options, "bash", "-c", line, "bash", ...args], given, {
    NODE: process.execPath,
    PROGRAM: path.join(project, file),
    TMUX_TMPDIR: given.root ?? ""
  })
}

/** A line for `prepare`: a tmux server with these sessions. */
export const sessions = (...names: ReadonlyArray<string>): string =>
  names.map((name) => `tmux -f /dev/null new-session -d -s '${name}' sleep 600`).join("\n")
