/**
 * A part of a run over all laws and parsers: so many cases of one of them, drawn from a seed of its own.
 */
import { Effect } from "effect"
import { Law, Laws } from "../../src/testing/index.ts"
import * as Parsers from "./Parsers.ts"

export interface Job {
  readonly kind: "law" | "parser"
  readonly name: string
  readonly cases: number
  readonly seed: string
  readonly replay?: string | undefined
}

/** `report` is `undefined` where nothing was refuted. */
export interface Done {
  readonly job: Job
  readonly cases: number
  readonly report: string | undefined
  /** Whether no case could be told right or wrong. */
  readonly undecided?: boolean | undefined
  /** Of one processor, in milliseconds. */
  readonly took: number
}

export const perform = async (job: Job): Promise<Done> => {
  const before = performance.now()
  const done = (cases: number, report: string | undefined): Done => ({
    job,
    cases,
    report,
    took: performance.now() - before
  })
  if (job.kind === "parser") {
    const parser = Parsers.parsers[job.name]
    if (parser === undefined) return done(0, `no parser is called ${job.name}`)
    const refuted = Parsers.feed(parser, job.cases, job.seed)
    return done(job.cases, refuted && `${job.name}: ${refuted.why}\n  fed with: ${refuted.bytes}`)
  }
  const law = Laws.all.find(({ name }) => name === job.name)
  if (law === undefined) return done(0, `no law is called ${job.name}`)
  const options = job.replay === undefined ? { runs: job.cases, seed: job.seed } : { replay: job.replay }
  const outcome = await Effect.runPromise(law.check(Laws.library, options))
  if (outcome._tag === "Held") return done(outcome.cases, undefined)
  return { ...done(0, Law.explain(outcome)), undecided: outcome._tag === "Undecided" }
}
