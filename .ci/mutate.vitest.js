import { defineConfig } from "vitest/config"

/** The tests that say something of every core directory within milliseconds. */
export default defineConfig({
  test: {
    include: [
      "test/{shared,machine,records,links,claims,verdict,reclaim}/!(*.real|*.long).test.ts",
      "test/cli/texts.test.ts",
      "test/laws/{links,sweep,parsers}.test.ts"
    ],
    env: { LAW_SHARE: "0.05" }
  }
})
