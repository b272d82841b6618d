import { defineConfig } from "vitest/config"

/** The tests that say something of src/core within milliseconds. */
export default defineConfig({
  test: {
    include: [
      "test/!(Observability|Total).test.ts",
      "test/texts/*.test.ts",
      "test/laws/{links,sweep,parsers}.test.ts",
      "test/real-paths/PsTable.test.ts"
    ],
    env: { LAW_SHARE: "0.05" }
  }
})
