/**
 * What a benchmark is, and how two things are compared: in pairs, within one run, in alternating order.
 */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"

export interface Benchmark {
  readonly name: string
  /** One line for `--list`. */
  readonly about: string
  readonly run: (stage: Stage) => Promise<ReadonlyArray<Figure>>
}

/**
 * What a benchmark is given. What it defers is done when it ends, however it ends, the last first.
 */
export interface Stage {
  /** Fewer pairs and smaller worlds: to see that it runs, not to quote. */
  readonly quick: boolean
  /** A progress line. */
  readonly say: (text: string) => void
  readonly defer: (end: () => void) => void
  /** A fresh directory, removed at the end. */
  readonly directory: () => string
}

export type Figure = Ratio | Table | Missing

/**
 * One thing against its rival. Times are medians in milliseconds; the ratio is the median of the ratios of the pairs.
 */
export interface Ratio {
  readonly _tag: "Ratio"
  readonly what: string
  readonly rival: string
  readonly atMost: number | undefined
  readonly ratio: number
  /** The first and the third quartile of the ratios. */
  readonly quartiles: readonly [number, number]
  readonly whatMs: number
  readonly rivalMs: number
  readonly pairs: number
}

/** Figures that are no ratio, and a drawing of them for a file beside this one. */
export interface Table {
  readonly _tag: "Table"
  readonly title: string
  readonly columns: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
  readonly note: string
  readonly image?: { readonly file: string; readonly svg: string } | undefined
}

/** What could not be measured here, and why. */
export interface Missing {
  readonly _tag: "Missing"
  readonly what: string
  readonly why: string
}

/**
 * One side of a comparison. `prepare` is done anew before each run and is not measured.
 */
export interface Side {
  readonly prepare?: (() => unknown) | undefined
  readonly run: () => unknown
}

export interface Comparison {
  readonly what: string
  readonly rival: string
  /** The ratio that is promised. */
  readonly atMost?: number | undefined
  readonly subject: Side
  readonly against: Side
  readonly pairs: number
  /** How many pairs come before those that count; three unless set. */
  readonly warmUp?: number | undefined
}

/**
 * Runs both sides in turn, the first of a pair being now the one and now the other, so that what changes on the machine
 * meanwhile meets both.
 */
export const compare = async (stage: Stage, comparison: Comparison): Promise<Ratio> => {
  const { what, rival, atMost, subject, against, warmUp = 3 } = comparison
  const pairs = stage.quick ? Math.min(comparison.pairs, 5) : comparison.pairs
  const samples: Array<{ readonly subject: number; readonly against: number }> = []
  for (let pair = -warmUp; pair < pairs; pair++) {
    stage.say(pair < 0 ? `${what}: warming up` : `${what}: pair ${pair + 1} of ${pairs}`)
    const first = await time(pair % 2 === 0 ? subject : against)
    const second = await time(pair % 2 === 0 ? against : subject)
    const sample = pair % 2 === 0 ? { subject: first, against: second } : { subject: second, against: first }
    if (pair >= 0) samples.push(sample)
  }
  const ratios = samples.map((sample) => sample.subject / sample.against)
  return {
    _tag: "Ratio",
    what,
    rival,
    atMost,
    ratio: quantile(ratios, 0.5),
    quartiles: [quantile(ratios, 0.25), quantile(ratios, 0.75)],
    whatMs: quantile(
      samples.map(({ subject }) => subject),
      0.5
    ),
    rivalMs: quantile(
      samples.map(({ against }) => against),
      0.5
    ),
    pairs
  }
}

/** How long one run takes, in milliseconds. */
export const time = async ({ prepare, run }: Side): Promise<number> => {
  await prepare?.()
  const start = performance.now()
  await run()
  return performance.now() - start
}

/** Between the two nearest values, as far as `q` lies between them. */
export const quantile = (values: ReadonlyArray<number>, q: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (sorted.length - 1) * q
  const [low = NaN, high = low] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]]
  return low + (high - low) * (at - Math.floor(at))
}

/**
 * Carries out one benchmark, and what it deferred, also when the process is ended meanwhile.
 */
export const carryOut = async (
  benchmark: Benchmark,
  options: Pick<Stage, "quick" | "say">
): Promise<ReadonlyArray<Figure>> => {
  const ends: Array<() => void> = []
  const endAll = () => {
    for (let end = ends.pop(); end !== undefined; end = ends.pop()) end()
  }
  const directory = () => {
    const made = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "session-liveness-bench-")))
    ends.push(() => fs.rmSync(made, { recursive: true, force: true }))
    return made
  }
  process.once("exit", endAll)
  try {
    return await benchmark.run({ ...options, defer: (end) => ends.push(end), directory })
  } finally {
    process.off("exit", endAll)
    endAll()
  }
}

/** Dies when a benchmark would measure something else than it says. */
export const must = (holds: boolean, what: string): void => {
  if (!holds) throw new Error(`this is not what was to be measured: ${what}`)
}
