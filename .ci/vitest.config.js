import { defineConfig } from "vitest/config"

const long = "test/**/*.long.test.ts"

/** `quick` is what a newcomer runs; `long` is what the checks add: mutants, long laws, kill loops. */
export default defineConfig({
  test: {
    projects: [
      // Files of one worker share its modules: loading them anew for each takes longer than most of the tests.
      { test: { name: "quick", include: ["test/**/*.test.ts"], exclude: [long], isolate: false } },
      { test: { name: "long", include: [long], testTimeout: 120_000 } }
    ]
  }
})
