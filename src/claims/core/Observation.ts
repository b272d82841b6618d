/**
 * What one look at tmux gave.
 */
import * as Data from "effect/Data"
import * as Result from "effect/Result"
import * as Processes from "../../machine/core/Processes.ts"
import * as TmuxServer from "../../machine/core/TmuxServer.ts"
import * as Text from "../../shared/core/Text.ts"
import { type Answer, answerOf, type Call, type Server } from "./TmuxAnswer.ts"
import { Reason } from "./UnobservedReason.ts"

export * from "./TmuxAnswer.ts"
export * from "./UnobservedReason.ts"

/**
 * `Answered`: these sessions exist and, as far as the look reached, no others. `Unobserved`: nothing is known.
 */
export type Observation = Data.TaggedEnum<{
  Answered: {
    readonly servers: ReadonlyArray<Server>
    /** The session names of every server, as tmux spells them, sorted. */
    readonly names: ReadonlyArray<string>
  }
  Unobserved: { readonly reason: Reason }
}>

export type Answered = Extract<Observation, { readonly _tag: "Answered" }>

export const { Answered, Unobserved, $is, $match } = Data.taggedEnum<Observation>()

/**
 * One call as an observation of the one server that was asked.
 */
export const fromTmux = (call: Call): Observation =>
  Result.match(answerOf(call), {
    onFailure: (reason) => Unobserved({ reason }),
    onSuccess: ({ server, names }) => Answered({ servers: [server], names: [...names].sort(Text.compare) })
  })

/**
 * What one socket came to.
 */
export interface Asked {
  readonly socket: string
  readonly answer: Result.Result<Answer, Reason>
}

/**
 * Joins the answers of all sockets. Every tmux server process of this user in `processes` must be among the servers
 * that answered; then a socket without a server is simply empty. Without a process table (`undefined`: none is
 * consulted) such a socket proves nothing. The order of `asked` changes nothing.
 */
export const join = (asked: ReadonlyArray<Asked>, processes: Processes.ProcessList | undefined): Observation => {
  const servers: Array<Server> = []
  const names = new Set<string>()
  const absent: Array<Reason> = []
  for (const { answer } of [...asked].sort((a, b) => Text.compare(a.socket, b.socket))) {
    if (Result.isSuccess(answer)) {
      servers.push(answer.success.server)
      for (const name of answer.success.names) names.add(name)
    } else if (answer.failure._tag === "ServerAbsent") absent.push(answer.failure)
    else return Unobserved({ reason: answer.failure })
  }
  if (processes === undefined) {
    const unproven = asked.length === 0 ? Reason.ServerAbsent({ detail: "no tmux socket is there" }) : absent[0]
    if (unproven !== undefined) return Unobserved({ reason: unproven })
  } else {
    if (!Processes.holdsSelf(processes)) {
      return Unobserved({ reason: Reason.ProcessTable({ detail: "the list does not hold the process that asked" }) })
    }
    const [pid] = TmuxServer.unheard(processes, new Set(servers.map((server) => server.pid)))
    if (pid !== undefined) return Unobserved({ reason: Reason.UnheardServer({ pid }) })
  }
  return Answered({
    servers: servers.sort((a, b) => a.pid - b.pid),
    names: [...names].sort(Text.compare)
  })
}
