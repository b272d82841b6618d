export default {
  input: { "status-line": "examples/status-line.ts" },
  platform: "node",
  output: { dir: "dist/bin", minify: true }
}
