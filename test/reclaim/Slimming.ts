/**
 * Worktrees with what tools leave in them, nobody at work there for a month.
 */
import { Effect, type Scope } from "effect"
import * as crypto from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { Reclaim, type ReclaimOutcome, type SlimPlan } from "../../src/internal.ts"
import * as Repo from "../verdict/Repo.ts"
import * as Stage from "./Stage.ts"
import { tempRoot } from "../TempRoot.ts"

/** One worktree: what is committed in it, what lies there besides, and what of that goes. */
export interface Layout {
  readonly name: string
  readonly committed: Readonly<Record<string, string>>
  readonly ignored: ReadonlyArray<string>
  readonly frees: ReadonlyArray<string>
}

export const layout = (name: string, committed: string, ignored: string, frees = "", ignore = "*"): Layout => ({
  name,
  committed: {
    ...Object.fromEntries(
      committed
        .split(" ")
        .filter(Boolean)
        .map((file) => [file, "x"])
    ),
    ".gitignore":
      ignore === "*"
        ? ignored
            .split(" ")
            .map((file) => `/${file.split("/")[0]}\n`)
            .join("")
        : ignore
  },
  ignored: ignored.split(" "),
  frees: frees.split(" ").filter(Boolean)
})

export const layouts: ReadonlyArray<Layout> = [
  layout("npm", "package.json", "node_modules/a/index.js node_modules/.bin/a", "node_modules"),
  layout(
    "workspace",
    "package.json packages/app/package.json",
    "packages/app/node_modules/b/index.js",
    "packages/app/node_modules",
    "node_modules/\n"
  ),
  layout("vite", "package.json", "dist/assets/index.js", "dist"),
  layout("next", "package.json", ".next/cache/x .next/BUILD_ID", ".next"),
  layout("jest", "package.json", "coverage/lcov.info", "coverage"),
  layout("tsc", "tsconfig.json", "app.tsbuildinfo"),
  layout("cargo", "Cargo.toml", "target/debug/app target/.rustc_info.json", "target"),
  layout("python", "app.py pkg/a.py", "pkg/__pycache__/a.cpython-312.pyc", "pkg/__pycache__", "*.pyc\n"),
  layout("venv", "pyproject.toml", ".venv/pyvenv.cfg .venv/bin/python .venv/.gitignore", ".venv", ""),
  layout("ruff", "pyproject.toml", ".ruff_cache/.gitignore .ruff_cache/0.4/x", ".ruff_cache", ""),
  layout("mypy", "pyproject.toml", ".mypy_cache/.gitignore .mypy_cache/3.12/x.json", ".mypy_cache", ""),
  layout("pytest", "pyproject.toml", ".pytest_cache/v/cache/lastfailed", ".pytest_cache"),
  layout("gradle", "build.gradle.kts", "build/classes/A.class .gradle/8.5/x.lock", "build .gradle"),
  layout("maven", "pom.xml", "target/classes/A.class", "target"),
  layout("dotnet", "App.csproj", "bin/Debug/App.dll obj/project.assets.json", "bin obj"),
  layout("go", "go.mod", "vendor/modules.txt", "vendor"),
  layout("swift", "Package.swift", ".build/debug/app", ".build"),
  layout("elixir", "mix.exs", "_build/dev/x deps/a/mix.exs", "_build deps"),
  layout("macOS", "a.txt", ".DS_Store"),
  layout("settings", "package.json", ".env .env.local"),
  layout("data", "package.json", "data.sqlite uploads/a.png"),
  layout("terraform", "main.tf", ".terraform/environment"),
  layout("editor", "package.json", ".idea/workspace.xml .vscode/settings.json"),
  layout("unvouched", "README.md", "node_modules/a/index.js target/x dist/x build/x bin/x"),
  layout("secret", "package.json Cargo.toml", "dist/.env.production build/app.db target/tls.pem"),
  layout("tracked", "package.json dist/keep.txt", "dist/index.js", "", "/dist/*.js\n"),
  layout("mercurial", "package.json", "node_modules/lib/.hg/store dist/repo/.jj/x build/svn/.svn/x"),
  layout(
    "cloned",
    "package.json",
    "node_modules/lib/.git/config dist/bare.git/HEAD dist/bare.git/objects/x dist/bare.git/refs/x"
  )
]

/** A repository in which no tool has a marker. */
export const stage: Effect.Effect<Stage.Stage, never, Scope.Scope> = Effect.map(tempRoot, (root) => {
  const main = Repo.create(path.join(root, "main"))
  return { root, main, common: path.join(main, ".git"), bare: false }
})

export const worktree = (on: Stage.Stage, { name, committed, ignored }: Layout): string => {
  const tree = Stage.worktree(on, `trees/${name}`)
  Repo.write(tree, committed)
  Repo.git(tree, "add", "-f", ...Object.keys(committed))
  Repo.git(tree, "commit", "-q", "-m", "as the tool wants it")
  for (const file of ignored)
    Repo.write(tree, { [file]: file.endsWith(".gitignore") ? "*\n" : "made again".repeat(1000) })
  age(tree)
  return tree
}

/** Makes it look as if nobody had been at work for a month. */
export const age = (tree: string): void => {
  const then = new Date(Date.now() - 30 * Repo.day)
  Repo.age(Repo.adminOf(tree))
  const visit = (directory: string) => {
    for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
      if (entry.isDirectory()) visit(path.join(directory, entry.name))
    }
    fs.utimesSync(directory, then, then)
  }
  visit(tree)
}

/** Every path in a tree with a digest of what is there. */
export const contents = (tree: string): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  const visit = (directory: string, below: string) => {
    for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
      const [at, name] = [path.join(directory, entry.name), below === "" ? entry.name : `${below}/${entry.name}`]
      const { mode } = fs.lstatSync(at)
      if (entry.isDirectory()) {
        found.set(name, `directory ${mode}`)
        visit(at, name)
      } else if (entry.isSymbolicLink()) found.set(name, `link ${fs.readlinkSync(at)}`)
      else found.set(name, `${mode} ${crypto.hash("sha1", fs.readFileSync(at), "hex")}`)
    }
  }
  visit(tree, "")
  return found
}

export const isIn = (file: string, directory: string): boolean => file === directory || file.startsWith(`${directory}/`)

export interface Options extends Stage.Options {
  readonly slim?: Partial<Reclaim.SlimOptions> | undefined
}

export const plan = (on: Stage.Stage, { slim, ...options }: Options = {}): Effect.Effect<SlimPlan.SlimPlan> =>
  Stage.run(on, Reclaim.planSlim({ repositories: [on.common], ...slim }), options)

export const slim = (
  on: Stage.Stage,
  plan: SlimPlan.SlimPlan,
  options: Stage.Options = {}
): Effect.Effect<ReadonlyArray<ReclaimOutcome.ReclaimOutcome>> => Stage.run(on, Reclaim.slim(plan), options)
