import { NodeServices } from "@effect/platform-node"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as os from "node:os"
import * as ClaudeSessions from "../claims/ClaudeSessions.ts"
import * as Git from "../verdict/Git.ts"
import * as GitChanges from "../reclaim/GitChanges.ts"
import * as ReclaimedTrees from "../reclaim/ReclaimedTrees.ts"
import * as ReclaimJournal from "../reclaim/ReclaimJournal.ts"
import * as RestorationsJournal from "../reclaim/RestorationsJournal.ts"
import * as MacProcessTable from "../machine/MacProcessTable.ts"
import * as Platform from "../machine/Platform.ts"
import * as OtherWriters from "../shared/OtherWriters.ts"
import * as WritableByOthers from "../shared/core/WritableByOthers.ts"
import * as OwnerSentinel from "../verdict/OwnerSentinel.ts"
import * as ProcTable from "../machine/ProcTable.ts"
import * as SessionStore from "../records/SessionStore.ts"
import * as TmuxProbe from "../claims/TmuxProbe.ts"
import { isListening } from "./isListening.ts"
import { layerProcFiles } from "./ProcFileSystem.ts"
import { layerListing } from "./DirectoryListing.ts"
import { layerSidecar } from "./Sidecar.ts"
import { layerNativePaths } from "./NativePaths.ts"
import { layerClosing } from "./ClosingSpawner.ts"

/**
 * What may be said about the machine and the manager.
 */
export interface Options {
  readonly root: string
  /** Whether somebody named the root, so that a manager has to be there; so it is unless said otherwise. */
  readonly named?: boolean | undefined
  /** tmux sockets besides those in the socket directory: paths, or names within it. */
  readonly sockets?: ReadonlyArray<string> | undefined
  /** Config directories of Claude Code besides `~/.claude`, `CLAUDE_CONFIG_DIR` and those of its running processes. */
  readonly configDirectories?: ReadonlyArray<string> | undefined
  /** `here`: all sessions live in this container. */
  readonly vantage?: "host" | "here" | undefined
  /** Where the journal of what is reclaimed lies: `$XDG_STATE_HOME/session-liveness`, or that of the home, unless given. */
  readonly journal?: string | undefined
}

/**
 * Every service of one root, on Node, as `Platform` tells.
 */
export const make = (options: Options) =>
  Layer.unwrap(Effect.map(Platform.Platform, (platform) => on(platform, options)))

const on = ({ name: platform, tools }: Platform.Platform, options: Options) => {
  const user = process.geteuid?.()
  // A copy: each look at the variables themselves takes as long as a few files.
  const env = { ...process.env }
  const self = { pid: process.pid, user: user ?? -1 }
  return Layer.mergeAll(
    Layer.succeed(OtherWriters.Everybody, WritableByOthers.everybodyOn(platform)),
    layerSidecar(options),
    SessionStore.layer(options),
    TmuxProbe.layer({ ...options, platform, tools, user, env, isListening }).pipe(
      Layer.provide(layerClosing),
      Layer.provide(layerProcFiles)
    ),
    ClaudeSessions.layer({
      configDirectories: [
        ...ClaudeSessions.defaultDirectories(os.homedir(), env),
        ...(options.configDirectories ?? [])
      ],
      home: os.homedir(),
      user
    }),
    layerListing,
    OwnerSentinel.layer,
    Git.layer({ env, platform, tools }),
    GitChanges.layer({ env, platform, tools, user }),
    Layer.provideMerge(
      Layer.merge(ReclaimedTrees.layer({ user }), RestorationsJournal.layer),
      ReclaimJournal.layer({
        directory: options.journal ?? ReclaimJournal.defaultDirectory(os.homedir(), env),
        user
      })
    ),
    platform === "linux"
      ? ProcTable.layer({ self, vantage: options.vantage }).pipe(Layer.provide(layerProcFiles))
      : MacProcessTable.layer({ self, tools })
  ).pipe(Layer.provideMerge(layerNativePaths), Layer.provideMerge(NodeServices.layer))
}
