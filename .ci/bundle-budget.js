// How much importing the package costs, in modules and in minified bytes: prints it, and fails over the budget beside it.
import { readFileSync, writeFileSync } from "node:fs"
import { builtinModules } from "node:module"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { rolldown } from "rolldown"
import programs from "./rolldown.config.js"

const help = `bundle-budget: what importing the built package costs, against its budget

Usage: npm run bundle-budget -- [--budget FILE] [--write] [--json]

  --budget FILE  instead of .ci/bundle-budget.json
  --write        makes the present values, and a tenth more, the budget
  --json         prints JSON instead of a table
  -h, --help     prints this

Exit codes: 0 within the budget, 1 over it, 2 wrong usage.`

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** Each is a module of its own, so that only what is exported counts; the program is bundled as it is built. */
const entries = {
  ".": { source: `export * from ${JSON.stringify(at("dist/index.js"))}` },
  "./node": { source: `export * from ${JSON.stringify(at("dist/node/index.js"))}` },
  "./node, layer built": { source: `export * from ${JSON.stringify(at("dist/node/NodeLayer.js"))}` },
  "./node, layerSidecar": { source: `export { layerSidecar } from ${JSON.stringify(at("dist/node/index.js"))}` },
  "./testing": { source: `export * from ${JSON.stringify(at("dist/testing/index.js"))}` },
  "status-line": programs.find(({ input }) => "session-liveness-status-line" in input)
}

const start = "\0start"

const sourceOf = (source) => ({
  input: start,
  platform: "node",
  output: { format: "esm", minify: true },
  plugins: [
    {
      name: "start",
      resolveId: (id) => (id === start ? id : undefined),
      load: (id) => (id === start ? source : undefined)
    }
  ]
})

const isBuiltin = (id) => id.startsWith("node:") || builtinModules.includes(id)
const isPeer = (id) => /^(effect|@effect\/[^/]+)(\/|$)/.test(id)

/** What is loaded at the start: what is imported on demand is neither counted as a module nor as bytes. */
const measure = async ({ source, ...config }, external) => {
  const { output: format, plugins, ...input } = source === undefined ? config : sourceOf(source)
  const graph = new Set()
  const counter = {
    name: "count",
    buildEnd() {
      const visit = (id) => {
        const info = this.getModuleInfo(id)
        if (info === null || graph.has(id) || external(id)) return
        graph.add(id)
        info.importedIds.forEach(visit)
      }
      for (const id of this.getModuleIds()) if (this.getModuleInfo(id)?.isEntry) visit(id)
      graph.delete(start)
    }
  }
  const bundle = await rolldown({ ...input, external, logLevel: "silent", plugins: [...plugins, counter] })
  try {
    const { output } = await bundle.generate(format)
    const chunks = new Map(output.filter(({ type }) => type === "chunk").map((chunk) => [chunk.fileName, chunk]))
    const loaded = new Set()
    const visit = (name) => {
      const chunk = chunks.get(name)
      if (chunk === undefined || loaded.has(chunk)) return
      loaded.add(chunk)
      chunk.imports.forEach(visit)
    }
    for (const { fileName, isEntry } of chunks.values()) if (isEntry) visit(fileName)
    return { modules: graph.size, bytes: [...loaded].reduce((sum, { code }) => sum + Buffer.byteLength(code), 0) }
  } finally {
    await bundle.close()
  }
}

const measureAll = async () => {
  const sizes = {}
  for (const [name, entry] of Object.entries(entries)) {
    sizes[name] = {
      own: await measure(entry, (id) => isBuiltin(id) || isPeer(id)),
      inlined: await measure(entry, isBuiltin)
    }
  }
  return sizes
}

const parse = () => {
  try {
    return parseArgs({
      options: {
        budget: { type: "string", default: at(".ci/bundle-budget.json") },
        write: { type: "boolean" },
        json: { type: "boolean" },
        help: { type: "boolean", short: "h" }
      }
    }).values
  } catch (error) {
    console.error(`bundle-budget: ${error.message}\nTry --help.`)
    return process.exit(2)
  }
}

const options = parse()
if (options.help) {
  console.log(help)
  process.exit(0)
}
const sizes = await measureAll()
if (options.write) {
  const budget = Object.fromEntries(
    Object.entries(sizes).map(([name, { own, inlined }]) => [
      name,
      { own: Math.ceil(own.bytes * 1.1), inlined: Math.ceil(inlined.bytes * 1.1) }
    ])
  )
  writeFileSync(options.budget, `${JSON.stringify(budget, null, 2)}\n`)
}
const budget = JSON.parse(readFileSync(options.budget, "utf8"))
if (options.json) console.log(JSON.stringify(sizes))
else {
  const cell = ({ modules, bytes }, most) =>
    `${String(modules).padStart(4)} modules ${String(bytes).padStart(8)} B of ${String(most ?? "-").padStart(8)}`
  console.log(`${"".padEnd(22)}${"Effect left out".padEnd(36)}  Effect inlined`)
  for (const [name, { own, inlined }] of Object.entries(sizes)) {
    console.log(`${name.padEnd(22)}${cell(own, budget[name]?.own)}  ${cell(inlined, budget[name]?.inlined)}`)
  }
}
const over = Object.entries(sizes).flatMap(([name, size]) =>
  ["own", "inlined"].flatMap((part) => {
    const [{ bytes }, most] = [size[part], budget[name]?.[part]]
    if (typeof most !== "number") return [`${name}, ${part}: ${bytes} bytes have no budget`]
    return bytes > most ? [`${name}, ${part}: ${bytes} bytes are over the budget of ${most}`] : []
  })
)
for (const line of over) console.error(`bundle-budget: ${line}`)
process.exitCode = over.length === 0 ? 0 : 1
