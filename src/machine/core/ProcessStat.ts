/**
 * A line of `/proc/<pid>/stat`.
 */
import * as Option from "effect/Option"

/**
 * The fields that are used, as the kernel counts them. `startTicks` stays text: it is compared exactly, and it may be
 * larger than a number holds.
 */
export interface ProcessStat {
  readonly name: string
  readonly state: string
  /** Whether it is a thread of the kernel, which has neither executable nor command line. */
  readonly kernel: boolean
  readonly parent: number
  /** Device number of the controlling terminal; 0: none. */
  readonly terminal: number
  /** How many threads it has. One that has ended by itself is shown as a zombie as long as the others run. */
  readonly threads: number
  readonly startTicks: string
}

/**
 * Reads a line. The command name is whatever stands between the first `(` and the last `)`, because it may hold
 * brackets, spaces and newlines itself.
 */
export const parse = (line: string): Option.Option<ProcessStat> => {
  const open = line.indexOf("(")
  const close = line.lastIndexOf(")")
  if (open === -1 || close < open) return Option.none()
  const [state, parent, , , terminal, , flags, ...rest] = line
    .slice(close + 1)
    .trim()
    .split(/\s+/)
  const threads = rest[threadsField - 10]
  const startTicks = rest[startField - 10]
  return state !== undefined &&
    /^[A-Za-z]$/.test(state) &&
    isInteger(parent) &&
    isInteger(terminal) &&
    isInteger(flags) &&
    isInteger(threads) &&
    startTicks !== undefined &&
    /^[0-9]+$/.test(startTicks)
    ? Option.some({
        name: line.slice(open + 1, close),
        state,
        kernel: (Number(flags) & kernelThread) !== 0,
        parent: Number(parent),
        terminal: Number(terminal),
        threads: Number(threads),
        startTicks
      })
    : Option.none()
}

/** Where they stand, counted from 1 with the pid; the state is field 3. */
const threadsField = 20
const startField = 22

/** The kernel's `PF_KTHREAD`, which no process can give itself. */
const kernelThread = 0x00200000

const isInteger = (text: string | undefined): text is string => text !== undefined && /^-?[0-9]+$/.test(text)

/** How many clock ticks make a second in what `/proc` tells, on every architecture. */
const ticksPerSecond = 100

/**
 * When the machine booted, in milliseconds since the epoch, as `/proc/stat` tells it in whole seconds.
 */
export const bootTime = (text: string): number | undefined => {
  const seconds = /^btime ([0-9]+)$/m.exec(text)?.[1]
  return seconds === undefined ? undefined : Number(seconds) * 1000
}

/**
 * When the process started, in milliseconds since the epoch. It moves with the clock, by as much as that was stepped.
 */
export const startedAt = ({ startTicks }: Pick<ProcessStat, "startTicks">, bootTime: number): number =>
  bootTime + (Number(startTicks) * 1000) / ticksPerSecond
