import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import type { Benchmark } from "./Bench.ts"

interface Size {
  readonly modules: number
  readonly bytes: number
}

export const benchmark: Benchmark = {
  name: "bundle",
  about: "modules and minified bytes of each entry point, which are no times: they are the same on every machine",
  run: async () => {
    const script = fileURLToPath(new URL("../../.ci/bundle-budget.js", import.meta.url))
    const printed = execFileSync(process.execPath, [script, "--json"], { encoding: "utf8" })
    const sizes: Readonly<Record<string, { readonly own: Size; readonly inlined: Size }>> = JSON.parse(printed)
    const cells = ({ modules, bytes }: Size) => [String(modules), `${(bytes / 1000).toFixed(1)} kB`]
    return [
      {
        _tag: "Table",
        title: "What an import costs",
        note: "Modules that are loaded at once, and their bytes in one minified bundle; `npm run check` fails when they grow by more than a tenth.",
        columns: ["entry", "modules, own", "bytes, own", "modules, Effect included", "bytes, Effect included"],
        rows: Object.entries(sizes).map(([name, { own, inlined }]) => [`\`${name}\``, ...cells(own), ...cells(inlined)])
      }
    ]
  }
}
