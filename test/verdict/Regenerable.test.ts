import { assert, describe, it } from "@effect/vitest"
import { Regenerable } from "../../src/internal.ts"

/** A directory as a tool lays it out: the names beside it, and its own; a name of a directory ends with `/`. */
const made: ReadonlyArray<readonly [tool: string, beside: string, path: string]> = [
  ["npm", "package.json package-lock.json", "node_modules/"],
  ["npm in a workspace", "package.json tsconfig.json", "packages/app/node_modules/"],
  ["vite", "package.json vite.config.ts", "dist/"],
  ["next", "package.json next.config.mjs", ".next/"],
  ["jest", "package.json", "coverage/"],
  ["tsc", "tsconfig.json", "tsconfig.app.tsbuildinfo"],
  ["cargo", "Cargo.toml Cargo.lock src", "target/"],
  ["python", "app.py", "pkg/__pycache__/"],
  ["pytest", "", ".pytest_cache/"],
  ["uv", "pyproject.toml uv.lock", ".venv/"],
  ["pip", "requirements-dev.txt", "venv/"],
  ["setuptools", "setup.py", "my_app.egg-info/"],
  ["gradle", "build.gradle.kts", "app/build/"],
  ["gradle's cache", "settings.gradle", ".gradle/"],
  ["maven", "pom.xml", "target/"],
  ["sbt", "build.properties plugins.sbt", "project/target/"],
  ["dotnet", "App.csproj Program.cs", "obj/"],
  ["dotnet", "App.fsproj", "bin/"],
  ["go", "go.mod go.sum", "vendor/"],
  ["composer", "composer.json", "vendor/"],
  ["swift", "Package.swift", ".build/"],
  ["flutter", "pubspec.yaml", "build/"],
  ["mix", "mix.exs", "_build/"],
  ["cabal", "app.cabal", "dist-newstyle/"],
  ["zig", "build.zig", ".zig-cache/"],
  ["macOS", "", ".DS_Store"]
]

/** What no tool is known to make, and why. */
const kept: ReadonlyArray<readonly [why: string, beside: string, path: string]> = [
  ["no marker stands beside it", "README.md", "node_modules/"],
  ["the marker is another tool's", "pom.xml", "bin/"],
  ["the marker is spelled in another case", "PACKAGE.JSON", "node_modules/"],
  ["it is spelled in another case", "Cargo.toml", "Target/"],
  ["it is only called alike", "Cargo.toml", "my-target/"],
  ["it is a file where the tool makes a directory", "package.json", "dist"],
  ["it is a directory where the tool makes a file", "", ".DS_Store/"],
  ["it holds settings", "package.json", ".env"],
  ["it holds settings", "package.json", ".env.local"],
  ["it holds data", "package.json", "data.sqlite"],
  ["it holds the selected workspace", "main.tf", ".terraform/"],
  ["it is a link of Bazel", "MODULE.bazel", "bazel-out"],
  ["it is a link of Nix", "flake.nix", "result"],
  ["it holds an editor's state", "package.json", ".idea/"],
  ["CMake's options are in it", "CMakeLists.txt", "build/"]
]

const is = (beside: string, path: string, settings?: Regenerable.Settings): boolean =>
  Regenerable.covering(path, () => beside.split(" "), settings).some((each) => each.path === path.replace(/\/$/, ""))

describe("Regenerable", () => {
  for (const [tool, beside, path] of made) {
    it(`knows ${path} of ${tool}`, () => assert.isTrue(is(beside, path)))
  }

  for (const [why, beside, path] of kept) {
    it(`does not know ${path}: ${why}`, () => assert.isFalse(is(beside, path)))
  }

  it("names the command that makes it again", () => {
    assert.strictEqual(Regenerable.kindOf("target", "Directory", ["pom.xml"])?.madeBy, "mvn package")
    assert.strictEqual(Regenerable.kindOf("target", "Directory", ["Cargo.toml"])?.madeBy, "cargo build")
  })

  it("lists a name without a marker nowhere that people use for their own", () => {
    const own = ["build", "dist", "out", "bin", "obj", "target", "vendor", "venv", "coverage", "deps", "node_modules"]
    const unmarked = Object.values(Regenerable.table)
      .flat()
      .filter(({ markers }) => markers.length === 0)
    assert.deepStrictEqual(
      unmarked.map(({ name }) => name).filter((name) => own.includes(name)),
      []
    )
  })

  it("gives every regenerable entry on the way, the outermost first", () => {
    const beside = (directory: string) =>
      directory === "" ? ["package.json"] : directory === "dist" ? ["package.json"] : undefined
    assert.deepStrictEqual(
      Regenerable.covering("dist/node_modules/a/__pycache__/x.pyc", beside).map(({ path }) => path),
      ["dist", "dist/node_modules", "dist/node_modules/a/__pycache__"]
    )
    assert.deepStrictEqual(Regenerable.covering("src/x.log", beside), [])
  })

  it("asks only for the names that decide", () => {
    assert.deepStrictEqual(
      Regenerable.parents(["a/b/node_modules/", "__pycache__/x/", "a/b/target/", "x.log", "dist/q/build/"]),
      ["a/b", "", "dist/q"]
    )
  })

  it("asks for no names where a name alone decides", () => {
    assert.deepStrictEqual(Regenerable.parents(["a/__pycache__/x/", "b/.next/"]), [])
  })

  it("takes a star for any text, also for none, and two for any text between", () => {
    const keeps = (pattern: string, name: string) => Regenerable.holdsBack("x", name, { keep: [pattern] })
    for (const [pattern, name] of [
      ["ab*b", "abb"],
      ["ab*b", "ab-b"],
      ["my*old*", "my-old-x"],
      ["my*old*", "myold"]
    ] as const) {
      assert.isTrue(keeps(pattern, name), `${pattern} ${name}`)
    }
    for (const [pattern, name] of [
      ["ab*b", "ab"],
      ["ab*b", "xab-b"],
      ["ab*b", "ab-bx"],
      ["my*old*", "xmy-old"],
      ["my*old*", "old-my"],
      ["my*y*", "my"]
    ] as const) {
      assert.isFalse(keeps(pattern, name), `${pattern} ${name}`)
    }
  })

  it("believes a person about more names, but not about secrets, repositories, editors and links of builds", () => {
    const settings = { regenerable: ["cache", "café"] }
    assert.isTrue(is("", "cache/", settings))
    assert.deepStrictEqual(Regenerable.kindOf("cache", "Directory", [], settings), {
      name: "cache",
      entry: "Directory",
      markers: [],
      madeBy: "as you said"
    })
    assert.isTrue(is("", "cafe\u0301/", settings))
    assert.isFalse(is("", "cache", settings))
    assert.isFalse(is("", "Cache/", settings))
    for (const name of [".env", ".ENV.d", ".terraform", ".git", ".jj", "bazel-bin", ".idea", "state.SQLite3"]) {
      assert.isFalse(is("", `${name}/`, { regenerable: [name] }), name)
    }
  })

  it("keeps what a person names, whatever its case and normal form", () => {
    for (const keep of ["node_modules", "NODE_MODULES", "node\u200d_modules"]) {
      assert.isFalse(is("package.json", "node_modules/", { keep: [keep] }), keep)
      assert.isTrue(Regenerable.holdsBack("dist", "node_modules", { keep: [keep] }), keep)
    }
    assert.isFalse(is("", "cafe\u0301/", { regenerable: ["café"], keep: ["café"] }))
  })

  it("holds a directory of a generic name back for secrets and state in it", () => {
    for (const name of [
      ".env",
      ".ENV.local",
      "a.db",
      "a.sqlite3",
      "x.tfstate.backup",
      "tls.KEY",
      "ca.pem",
      "ca.PE\u200dM",
      "id_ed25519",
      "release.keystore",
      "client.p12",
      "AuthKey.p8",
      "host.ppk",
      "secrets.gpg",
      "keys.age",
      "prod.tfvars",
      "kubeconfig",
      ".netrc"
    ]) {
      for (const directory of ["build", "dist", "out", "bin", "obj", "target", "vendor", "Build"]) {
        assert.isTrue(Regenerable.holdsBack(directory, name), `${directory}/${name}`)
      }
      assert.isFalse(Regenerable.holdsBack("node_modules", name), name)
    }
    for (const name of ["main.js", "db", "keys", "env"]) assert.isFalse(Regenerable.holdsBack("dist", name), name)
  })
})
