// The programs of the package, each one file that needs no peer. CommonJS starts a few milliseconds sooner than a module
// does, and a status line starts after every message.
import { chmodSync, readFileSync } from "node:fs"

const { engines } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))
const [, major, minor] = /^>=(\d+)\.(\d+)/.exec(engines.node)

/** Stands before everything else, and is understood by every Node that is still about. A hook must not fail, whatever runs it. */
const banner = (exitCode) => `#!/usr/bin/env node
var nodeVersion = process.versions.node.split(".");
if (nodeVersion[0] < ${major} || (nodeVersion[0] == ${major} && nodeVersion[1] < ${minor})) {
  process.stderr.write("session-liveness needs Node ${major}.${minor} or newer, and this is Node " + process.versions.node + ". See https://nodejs.org for a newer one.\\n");
  process.exit(${exitCode});
}
`

export const program = (name, source, output) => ({
  input: { [name]: source },
  platform: "node",
  // So that an older Node can read as far as the sentence about its version.
  transform: { target: "node16", define: { "import.meta": "{}" } },
  treeshake: { moduleSideEffects: false, propertyReadSideEffects: false },
  // Splitting is off, so that what is loaded on demand stays in the one file.
  output: { dir: "dist/bin", format: "cjs", minify: true, codeSplitting: false, ...output },
  plugins: [
    {
      name: "commonjs-directory",
      generateBundle() {
        this.emitFile({ type: "asset", fileName: "package.json", source: '{ "type": "commonjs" }\n' })
      },
      writeBundle({ dir }) {
        chmodSync(`${dir}/${name}.js`, 0o755)
      }
    }
  ]
})

export default [
  program("session-liveness", "src/cli/main.ts", { postBanner: banner(2) }),
  program("session-liveness-hook", "src/cli/hook.ts", { postBanner: banner(0) }),
  program("session-liveness-status-line", "src/cli/status-line.ts", { postBanner: banner(0) })
]
