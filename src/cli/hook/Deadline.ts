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
