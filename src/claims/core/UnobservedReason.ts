/**
 * Why tmux was not observed, and what would settle it.
 */
import * as Data from "effect/Data"
import * as Text from "../../shared/core/Text.ts"

/**
 * Why tmux was not observed. The first eight are what asking one socket can come to; `detail` is what was seen.
 */
export type Reason = Data.TaggedEnum<{
  NotInstalled: { readonly detail: string }
  SocketDirMissing: { readonly detail: string }
  /** No server listens. No proof of death: a deleted socket looks the same. */
  ServerAbsent: { readonly detail: string }
  ConnectFailed: { readonly detail: string }
  VersionMismatch: { readonly detail: string }
  /** tmux ended well and said something else than was asked for. */
  Malformed: { readonly detail: string }
  /** tmux failed in a way that tells nothing. */
  Failed: { readonly detail: string }
  TimedOut: { readonly detail: string }
  /** A tmux server process of this user answered on no socket. */
  UnheardServer: { readonly pid: number }
  ProcessTable: { readonly detail: string }
  /** An honest answer from here would be about another place. */
  ForeignVantage: { readonly why: string }
}>

export const Reason = Data.taggedEnum<Reason>()

/**
 * The reasons that asking one socket can come to.
 */
export type SocketReason = Exclude<Reason, { readonly _tag: "UnheardServer" | "ProcessTable" | "ForeignVantage" }>

/**
 * A reason in words: what was seen, and what would settle it.
 */
export const explain: (reason: Reason) => { readonly what: string; readonly settle: string } = Reason.$match({
  NotInstalled: ({ detail }) => ({
    what: `tmux was not found (${Text.escape(detail)})`,
    settle: "install tmux, or name its executable"
  }),
  SocketDirMissing: ({ detail }) => ({
    what: `the directory of tmux sockets is not there (${Text.escape(detail)})`,
    settle: "set TMUX_TMPDIR as the manager has it, or unset it"
  }),
  ServerAbsent: ({ detail }) => ({
    what: `no tmux server answers (${Text.escape(detail)}), which a deleted socket looks like too`,
    settle: "consult the process table, or start the manager's tmux server"
  }),
  ConnectFailed: ({ detail }) => ({
    what: `a tmux socket could not be connected to (${Text.escape(detail)})`,
    settle: "run as the user who owns the socket, or remove what is not a socket of yours"
  }),
  VersionMismatch: ({ detail }) => ({
    what: `the tmux server speaks another version (${Text.escape(detail)})`,
    settle: "use the tmux that started the server, or restart the server when its sessions are done"
  }),
  Malformed: ({ detail }) => ({
    what: `tmux did not answer in the expected form (${Text.escape(detail)})`,
    settle: "run `tmux list-sessions` by hand and rename sessions whose names hold control characters"
  }),
  Failed: ({ detail }) => ({
    what: `tmux failed (${Text.escape(detail)})`,
    settle: "run `tmux list-sessions` by hand and see what it says"
  }),
  TimedOut: ({ detail }) => ({
    what: `tmux did not answer in time (${Text.escape(detail)})`,
    settle: "see whether the server is stopped or overloaded, or allow more time"
  }),
  UnheardServer: ({ pid }) => ({
    what: `a tmux server (pid ${pid}) answered on none of the sockets`,
    settle: `name its socket, or send it SIGUSR1 so that it makes its socket anew: kill -USR1 ${pid}`
  }),
  ProcessTable: ({ detail }) => ({
    what: `the process table could not be read (${Text.escape(detail)})`,
    settle: "make /proc or ps readable, or say that no process table is consulted"
  }),
  ForeignVantage: ({ why }) => ({
    what: `sessions cannot be judged from here: ${Text.escape(why)}`,
    settle: "fix that, or run as the owner of the root on the host of the sessions"
  })
})
