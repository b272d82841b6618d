/**
 * Sections of texts, each under its name, as a snapshot that a person can read.
 */
import type * as Said from "./Said.ts"

export const render = (sections: Readonly<Record<string, Said.Texts>>): string =>
  Object.entries(sections)
    .map(
      ([title, texts]) =>
        `## ${title}\n\n${Object.entries(texts)
          .map(([name, text]) => `${name}\n    ${text.trimEnd().replaceAll("\n", "\n    ")}\n`)
          .join("\n")}`
    )
    .join("\n\n")
