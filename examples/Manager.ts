/**
 * Where no manager keeps records.
 */
import * as fs from "node:fs"
import { Root } from "session-liveness"
import * as Cli from "./cli.ts"

/** Whether a manager keeps its records under `root`. */
export const isThere = (root: string): boolean => fs.existsSync(Root.store(root))

/** Ends the process where there is one: without its records no session would hold its workspace. */
export const mustNotBeThere = (root: string): void => {
  if (!isThere(root)) return
  Cli.fail(`--no-manager, but ${Root.store(root)} is there; leave the flag out, or name another root.`, 2)
}
