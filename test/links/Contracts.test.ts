import { Effect } from "effect"
import * as SavingsLedgerSuite from "./SavingsLedgerSuite.ts"
import * as SidecarSuite from "./SidecarSuite.ts"
import { kinds } from "./Stage.ts"

for (const { name, make } of kinds) {
  const files = Effect.map(make, (stage) => stage.files)
  SidecarSuite.suite(name, files)
  SavingsLedgerSuite.suite(name, files)
}
