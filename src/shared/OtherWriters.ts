/**
 * Asks `WritableByOthers` about what `stat` told, on this platform.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as WritableByOthers from "./core/WritableByOthers.ts"

/**
 * The group that every user of this machine is in, if there is one: that of the platform unless set.
 */
export const Everybody: Context.Reference<number | undefined> = Context.Reference<number | undefined>(
  "session-liveness/OtherWriters/Everybody",
  { defaultValue: () => WritableByOthers.everybodyOn(process.platform) }
)

/**
 * Why another than `user` may have written it. Where `user` is `undefined`, every owner will do.
 */
export const why = (info: FileSystem.File.Info, user: number | undefined): Effect.Effect<string | undefined> =>
  Effect.map(Everybody, (everybody) => WritableByOthers.why(standing(info), user, everybody))

/**
 * Why another may put something else in the place of what stands in this directory.
 */
export const whyAbove = (info: FileSystem.File.Info): Effect.Effect<string | undefined> =>
  Effect.map(Everybody, (everybody) => WritableByOthers.whyAbove(standing(info), everybody))

const standing = ({ uid, gid, mode }: FileSystem.File.Info): WritableByOthers.Standing => ({
  owner: Option.getOrUndefined(uid),
  group: Option.getOrUndefined(gid),
  mode
})
