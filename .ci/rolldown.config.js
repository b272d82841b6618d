// CommonJS starts a few milliseconds sooner than a module does, and a status line starts after every message.
const program = (name, output) => ({
  input: { [name]: `examples/${name}.ts` },
  platform: "node",
  treeshake: { moduleSideEffects: false, propertyReadSideEffects: false },
  output: { dir: "dist/bin", format: "cjs", minify: true, ...output },
  plugins: [
    {
      name: "commonjs-directory",
      generateBundle() {
        this.emitFile({ type: "asset", fileName: "package.json", source: '{ "type": "commonjs" }\n' })
      }
    }
  ]
})

// Splitting is off where something is loaded on demand, so that the program stays one file.
export default [
  program("status-line", {}),
  program("record-link", { codeSplitting: false }),
  program("record-end", { codeSplitting: false })
]
