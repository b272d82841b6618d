/**
 * Applications that have installed the packed package and its peers, and nothing else of the project.
 */
import { Effect, type Scope } from "effect"
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { type Outcome, project, start } from "../examples/Program.ts"
import { tempRoot } from "../TempRoot.ts"

/** The package as npm would publish it, and the files that it holds. */
export interface Tarball {
  readonly path: string
  readonly files: ReadonlyArray<string>
}

/** Packs what is built; nothing is built anew and nothing is fetched. */
export const tarball: Effect.Effect<Tarball, never, Scope.Scope> = Effect.map(tempRoot, (directory) => {
  const printed = execFileSync("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", directory], {
    cwd: project,
    encoding: "utf8",
    env: { ...process.env, npm_config_cache: path.join(directory, "cache"), npm_config_offline: "true" },
    stdio: ["ignore", "pipe", "pipe"]
  })
  const [packed]: ReadonlyArray<{
    readonly filename: string
    readonly files: ReadonlyArray<{ readonly path: string }>
  }> = JSON.parse(printed)
  if (packed === undefined) throw new Error(`npm pack printed ${printed}`)
  return {
    path: path.join(directory, packed.filename),
    files: packed.files.map((file) => file.path)
  }
})

export interface App {
  readonly directory: string
  /** Where the package is installed. */
  readonly installed: string
  /** Type-checks the files of the application; gives what the compiler complains of. */
  readonly typeCheck: (types: ReadonlyArray<string>) => Effect.Effect<string>
  /** Runs a TypeScript file of the application. */
  readonly run: (file: string) => Effect.Effect<Outcome>
}

/**
 * An application with these files, the tarball unpacked as npm would, and a link for each of `packages`.
 */
export const app = Effect.fnUntraced(function* (
  { path: packed }: Tarball,
  packages: ReadonlyArray<string>,
  files: Readonly<Record<string, string>>
): Effect.fn.Return<App, never, Scope.Scope> {
  const directory = yield* tempRoot
  const modules = path.join(directory, "node_modules")
  const installed = path.join(modules, "session-liveness")
  fs.mkdirSync(installed, { recursive: true })
  execFileSync("tar", ["-xzf", packed, "-C", installed, "--strip-components=1"])
  for (const name of packages) {
    fs.mkdirSync(path.dirname(path.join(modules, name)), { recursive: true })
    fs.symlinkSync(path.join(project, "node_modules", name), path.join(modules, name))
  }
  fs.writeFileSync(path.join(directory, "package.json"), JSON.stringify({ type: "module", private: true }))
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(directory, name), text)
  const node = (...args: ReadonlyArray<string>) =>
    start(process.execPath, args, { cwd: directory, root: path.join(directory, "root") }, {})
  return {
    directory,
    installed,
    typeCheck: (types) => {
      fs.writeFileSync(
        path.join(directory, "tsconfig.json"),
        JSON.stringify({
          compilerOptions: {
            target: "es2023",
            lib: ["es2024", "esnext.disposable", "dom"],
            module: "nodenext",
            moduleResolution: "nodenext",
            strict: true,
            exactOptionalPropertyTypes: true,
            noUncheckedIndexedAccess: true,
            skipLibCheck: false,
            noEmit: true,
            types
          },
          files: Object.keys(files).filter((name) => name.endsWith(".ts"))
        })
      )
      const tsc = path.join(project, "node_modules/typescript/bin/tsc")
      return Effect.map(node(tsc, "-p", directory), ({ stdout, stderr }) => stdout + stderr)
    },
    run: (file) => node(file)
  }
})
