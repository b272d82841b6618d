import * as Effect from "effect/Effect"
import type { CarryOut } from "./Tools.ts"

export const carryOut: CarryOut<"Detach"> = ({ write }, { adminDirectory, head }) =>
  Effect.as(
    write(
      [
        `--git-dir=${adminDirectory}`,
        "update-ref",
        "--no-deref",
        "-m",
        "session-liveness: reclaimed",
        "HEAD",
        head,
        head
      ],
      { bounded: true }
    ),
    []
  )
