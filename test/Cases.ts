import * as fs from "node:fs"

/**
 * The right values for one rule, as data.
 */
export const read = <A>(name: string): A =>
  JSON.parse(fs.readFileSync(new URL(`./cases/${name}.json`, import.meta.url), "utf8"))
