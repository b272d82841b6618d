/**
 * One record's hold on its workspace path.
 */
import type * as Liveness from "./Liveness.ts"
import type * as Place from "./Place.ts"
import * as Text from "../../shared/core/Text.ts"

export interface WorkspaceClaim {
  readonly session: string
  readonly place: Place.Place
  readonly liveness: Liveness.Liveness
  /** The newer of when the record was made and last active, in milliseconds since the epoch; not known unless given. */
  readonly lastSignAt?: number | undefined
}

/**
 * Orders claims by session, then by path, whatever order they came in.
 */
export const compare = (a: WorkspaceClaim, b: WorkspaceClaim): number =>
  Text.compare(a.session, b.session) || Text.compare(a.place.path, b.place.path)
