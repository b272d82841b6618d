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

/** How an isolated program is started. */
export interface Options extends Given {
  /** Lines of bash before it. */
  readonly prepare?: string | undefined
  /** The line of bash that starts it, unless the program is just to be run. */
  readonly line?: string | undefined
}

/**
 * Runs a file of the project with `--here`, after `prepare`; a tmux server that it starts ends with the namespace. Its
 * sockets lie in `$TMUX_TMPDIR`.
 */
export const run = (
  file: string,
  args: ReadonlyArray<string>,
  { prepare = "", line = `"$NODE" "$PROGRAM" "$@" --here`, ...given }: Options
): Effect.Effect<Outcome> => {
  const [command = "", ...options] = way ?? []
  // The shell must stay the first process of the namespace, which no signal of its own kills.
  const script = `${prepare}\n${line}\nexit $?`
  return start(command, [...options, "bash", "-c", script, "bash", ...args], given, {
    NODE: process.execPath,
    PROGRAM: path.join(project, file),
    TMUX_TMPDIR: given.root ?? ""
  })
}

/**
 * Runs it in a pane of a terminal, types `keys` when it asks, after the line `meanwhile`, and gives what the pane shows in
 * the end.
 */
export const typed = (
  file: string,
  args: ReadonlyArray<string>,
  keys: string,
  { meanwhile = "", ...given }: Given & { readonly meanwhile?: string | undefined }
): Effect.Effect<Outcome> =>
  run(file, args, {
    ...given,
    // The pane's own word for the exit code: tmux does not always hear that a child has ended.
    line: `
      ended="$TMUX_TMPDIR/ended"; rm -f "$ended"
      tmux -f /dev/null start-server \\; set -g remain-on-exit on \\; new-session -d -s pane -x 200 -y 50 \\
        bash -c 'trap : INT; "$@"; echo $? > "$TMUX_TMPDIR/ended"' bash "$NODE" "$PROGRAM" "$@" --here
      until [ -s "$ended" ] || tmux capture-pane -p -t pane | grep -qF '(y/N)'; do sleep 0.1; done
      ${meanwhile}
      tmux send-keys -t pane ${keys}
      until [ -s "$ended" ]; do sleep 0.1; done
      tmux capture-pane -p -t pane
      exit "$(cat "$ended")"`
  })

/** A line for `prepare`: a tmux server with these sessions. */
export const sessions = (...names: ReadonlyArray<string>): string =>
  names.map((name) => `tmux -f /dev/null new-session -d -s '${name}' sleep 600`).join("\n")
