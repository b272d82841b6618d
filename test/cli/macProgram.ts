/**
 * The command as it runs on a Mac, whose programs lie beside it. This is no part of the package.
 */
import { realpathSync } from "node:fs"
import { dirname } from "node:path"
import { run } from "../../src/cli/Program.ts"

const at = dirname(realpathSync(process.argv[1] ?? ""))

run({
  name: "darwin",
  tools: { ps: `${at}/ps`, lsof: `${at}/lsof`, mount: `${at}/mount`, sysctl: `${at}/sysctl` }
})
