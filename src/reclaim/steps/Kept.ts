/**
 * The refs under `refs/reclaimed/`, which keep commits.
 */
import * as Effect from "effect/Effect"
import * as OwnDirectory from "../OwnDirectory.ts"
import { gitDir, type Tools } from "./Tools.ts"

export interface Ref {
  readonly ref: string
  readonly id: string
}

export const prefixOf = (name: string): string => `refs/reclaimed/${name}/`

/** The refs that keep what is kept under a name. */
export const refs = (tools: Tools, name: string): Effect.Effect<ReadonlyArray<Ref>, string> =>
  Effect.map(tools.read([gitDir(tools), "for-each-ref", "--format=%(refname) %(objectname)", prefixOf(name)]), (text) =>
    text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => {
        const [ref = "", id = ""] = line.split(" ")
        return { ref, id }
      })
  )

/**
 * Changes them. No log is written of it, and nothing outside the repository: a directory of refs may be a link.
 */
export const update = (tools: Tools, name: string, lines: ReadonlyArray<string>): Effect.Effect<void, string> =>
  lines.length === 0
    ? Effect.void
    : Effect.gen(function* () {
        const { fs, commonDirectory, user } = tools
        for (const directory of ["refs", "refs/reclaimed", `refs/reclaimed/${name}`]) {
          yield* OwnDirectory.isThere(fs, `${commonDirectory}/${directory}`, user)
        }
        yield* tools.write(["-c", "core.logAllRefUpdates=false", gitDir(tools), "update-ref", "--stdin"], {
          bounded: true,
          input: lines.join("")
        })
      })
