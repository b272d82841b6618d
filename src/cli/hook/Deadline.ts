/**
 * How long the hook may take, from the start of its process: a session start waits for it.
 */
const milliseconds = 480

/** How much is left, in milliseconds. */
export const left = (): number => Math.max(Math.floor(milliseconds - process.uptime() * 1000), 1)
