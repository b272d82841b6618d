import { Layer } from "effect"
import { LinkWriter, SavingsLedger, SessionStore, SidecarReader } from "../../src/index.ts"
import type { Laws } from "../../src/testing/index.ts"

/** The layers over Effect's `FileSystem`. */
export const overFileSystem: Laws.Subject = (root) =>
  Layer.mergeAll(
    SidecarReader.layer({ root }),
    LinkWriter.layer({ root }),
    SavingsLedger.layer({ root }),
    SessionStore.layer({ root })
  )
