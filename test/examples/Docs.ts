/**
 * The TypeScript that pages and comments show, and a directory in which it runs as it would in a project of its reader.
 */
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { tempRoot } from "../TempRoot.ts"
import { project } from "./Program.ts"

/** The blocks of TypeScript in a page, or in the comments of a module. */
export const blocks = (page: string): ReadonlyArray<string> => {
  const text = fs.readFileSync(path.join(project, page), "utf8")
  return [...text.matchAll(/^( \* )?```ts\n([\s\S]*?)^(?: \* )?```$/gm)].map(([, comment, code = ""]) =>
    comment === undefined ? code : code.replaceAll(/^ \* ?/gm, "")
  )
}

/** Lets the packages be found from a directory. */
export const linkPackages = (directory: string): Effect.Effect<void> =>
  Effect.sync(() => {
    const modules = path.join(directory, "node_modules")
    fs.mkdirSync(modules)
    fs.symlinkSync(project, path.join(modules, "session-liveness"))
    for (const name of ["effect", "@effect"])
      fs.symlinkSync(path.join(project, "node_modules", name), path.join(modules, name))
  })

/** An empty project. */
export const directory = Effect.tap(tempRoot, (root) => {
  fs.writeFileSync(path.join(root, "package.json"), JSON.stringify({ type: "module" }))
  return linkPackages(root)
})
