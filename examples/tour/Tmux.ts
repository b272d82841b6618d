/**
 * What the claims say while a tmux server comes and goes.
 */
import { Data, Effect, Schedule, type Scope } from "effect"
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import { Bound, Liveness, Observation, WorkspaceClaims } from "session-liveness"
import * as Cli from "../cli.ts"
import * as Judging from "../Judging.ts"
import { harbor, orchard } from "./Cast.ts"
import { type Act, say, Stage } from "./Stage.ts"

/** A tmux server of the tour's own. */
export interface Server {
  readonly pid: number
  readonly socket: string
  readonly tmux: (...args: ReadonlyArray<string>) => string
}

/** There is no tmux to play with. */
export class NoTmux extends Data.TaggedError("NoTmux")<{ readonly message: string }> {}

/** How long a look may take on stage: the library would wait three seconds for a server that is stopped. */
const patience = "400 millis"

const idle: ReadonlyArray<string> = ["sleep", "600"]

/**
 * A server on a socket of its own with a session for each of the two, ended with the scope even when it is stopped or
 * has lost its socket.
 */
export const start: Effect.Effect<Server, NoTmux, Stage | Scope.Scope> = Effect.gen(function* () {
  const { root, pids } = yield* Stage
  const directory = `${root}/tmux`
  const tmux: Server["tmux"] = (...args) =>
    execFileSync("tmux", ["-u", "-f", "/dev/null", ...args], {
      env: { ...process.env, TMUX: undefined, TMUX_PANE: undefined, TMUX_TMPDIR: directory },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"]
    })
  const open = ({ id }: { readonly id: string }) => {
    const workspace = `${root}/work/${id}`
    fs.mkdirSync(workspace, { recursive: true })
    return ["new-session", "-d", "-s", `tm-${id}`, "-c", workspace, ...idle]
  }
  const attempt = <A>(evaluate: () => A) =>
    Effect.try({ try: evaluate, catch: (error) => new NoTmux({ message: Cli.reasonOf(error) }) })
  const server = yield* Effect.acquireRelease(
    attempt(() => {
      fs.mkdirSync(directory, { recursive: true })
      const told = tmux(...open(harbor), ";", "display-message", "-p", "#{pid} #{socket_path}")
      const [, pid, socket = ""] = /^(\d+) (.*)\n$/.exec(told) ?? []
      return { pid: Number(pid), socket, tmux }
    }),
    ({ pid }) => Effect.ignore(attempt(() => process.kill(pid, "SIGKILL")))
  )
  pids.add(server.pid)
  // By a call of its own: the command line that started a server stays with it, and counts as a use of what it names.
  yield* attempt(() => tmux(...open(orchard)))
  return server
})

/** What tmux was seen to be, and what the claims make of it. */
const claims = Effect.gen(function* () {
  const { root } = yield* Stage
  const { observation, owners } = yield* WorkspaceClaims.workspaceClaims()
  yield* Observation.$match(observation, {
    Answered: ({ names }) => say("tmux", `answered; its sessions: ${names.join(", ")}`),
    Unobserved: ({ reason }) =>
      say("tmux", `not observed: ${Observation.explain(reason).what.replaceAll(`${root}/`, "")}`)
  })
  for (const { id } of [harbor, orchard]) {
    const liveness = owners.owners?.get(id)
    if (liveness === undefined) continue
    yield* say(
      "claims",
      Liveness.$match(liveness, {
        SessionGone: () => `${id} is gone: ${Judging.whyOf(liveness).what}`,
        Live: ({ because }) =>
          because._tag === "Unobserved"
            ? `${id} counts as live, because nothing is known`
            : `${id} is live: ${Liveness.explain(because).what}`
      })
    )
  }
  if (observation._tag === "Unobserved") yield* say("way out", Observation.explain(observation.reason).settle)
})

export const acts = ({ pid, socket, tmux }: Server): ReadonlyArray<Act> => [
  {
    title: "harbor and orchard work in two tmux sessions, each with a workspace that it claims",
    play: Effect.gen(function* () {
      yield* say("", "Of all processes only those of the tour are looked at here: yours would change the story.")
      yield* claims
    })
  },
  {
    title: "orchard is done and its tmux session ends",
    play: Effect.suspend(() => {
      tmux("kill-session", "-t", "=tm-orchard")
      return claims
    })
  },
  {
    title: "The tmux server hangs (SIGSTOP)",
    play: Effect.gen(function* () {
      process.kill(pid, "SIGSTOP")
      yield* Effect.provideService(claims, Bound.Observation, patience)
      process.kill(pid, "SIGCONT")
    })
  },
  {
    title: "The server goes on, but somebody has cleaned up /tmp: its socket is deleted",
    play: Effect.gen(function* () {
      fs.rmSync(socket)
      yield* say("", '"Nobody answers" looks just like "nobody is there"; the process table tells them apart.')
      yield* claims
    })
  },
  {
    title: "Its owner does what was said",
    play: Effect.gen(function* () {
      yield* say("kill -USR1", `tmux server ${pid} makes its socket anew`)
      process.kill(pid, "SIGUSR1")
      yield* Effect.try(() => tmux("has-session")).pipe(
        Effect.retry({ times: 200, schedule: Schedule.spaced("20 millis") }),
        Effect.ignore
      )
      yield* claims
    })
  }
]
