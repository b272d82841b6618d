/**
 * What a fake is described by: plain data, or a function that gives what holds now, where the world goes on changing
 * under a layer that stands.
 */
export type Current<A extends object> = A | (() => A)

export const get = <A extends object>(current: Current<A>): A => (typeof current === "function" ? current() : current)
