import { Data } from "effect"

/** Why the hook did nothing. */
export class Undone extends Data.TaggedError("Undone")<{ readonly message: string }> {}

export const because = (message: string): Undone => new Undone({ message })
