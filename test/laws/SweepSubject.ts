import { Layer } from "effect"
import { ClaudeSessions, OwnerSentinel, SessionStore } from "../../src/internal.ts"
import { SweepLaws, SweepWorld } from "../../src/testing/index.ts"

/** The layers that read files, over Effect's `FileSystem`; what is no file is faked. */
export const overFileSystem: SweepLaws.Subject = (world, spoils) =>
  Layer.mergeAll(
    SweepLaws.fakes(world, spoils),
    SessionStore.layer({ root: SweepWorld.root }),
    OwnerSentinel.layer,
    world().registry === "NotConsulted"
      ? ClaudeSessions.layerNone
      : ClaudeSessions.layer({ configDirectories: [SweepWorld.configDirectory] })
  )
