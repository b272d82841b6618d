/**
 * How long the hook may take, from the start of its process: a session start waits for it.
 */

/** In milliseconds: half a second, less what a process takes to end. */
export const usual = 480

let within = usual

export const set = (milliseconds: number): void => {
  within = milliseconds
}

/** How much is left, in milliseconds. */
export const left = (): number => Math.max(Math.floor(within - process.uptime() * 1000), 1)

let soFar = "nothing was done"

/** What is said from here on when there is no time left: it may be done already, and nobody waits for the answer. */
export const mayBeDone = (what: string): void => {
  soFar = `${what}, or not`
}

export const over = (): string => `there was no time left; ${soFar}`
