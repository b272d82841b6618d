/**
 * Ignored files and directories that a tool makes again from what is committed.
 */

/**
 * A name that a tool gives to what it makes. `*` stands for any text. The name alone is enough where `markers` is empty;
 * otherwise one of them has to stand beside it.
 */
export interface Kind {
  readonly name: string
  readonly entry: "Directory" | "File"
  readonly markers: ReadonlyArray<string>
  /** The command that makes it again. */
  readonly madeBy: string
}

/**
 * What a person says about names.
 */
export interface Settings {
  /** Names of directories that can be made again too, wherever they lie. */
  readonly regenerable?: ReadonlyArray<string> | undefined
  /** Names that are never to be removed, nor a directory that holds one. */
  readonly keep?: ReadonlyArray<string> | undefined
}

const kinds =
  (entry: Kind["entry"]) =>
  (names: string, markers: string, madeBy: string): ReadonlyArray<Kind> =>
    names.split(" ").map((name) => ({ name, entry, markers: markers === "" ? [] : markers.split(" "), madeBy }))

const directories = kinds("Directory")
const files = kinds("File")

const python = "pyproject.toml setup.py setup.cfg requirements*.txt Pipfile tox.ini noxfile.py"
const gradle = "build.gradle* settings.gradle*"
const dotnet = "*.csproj *.fsproj *.vbproj *.vcxproj"

/**
 * What is known, by ecosystem. A name that people give to what they write themselves is listed only with the markers of the
 * tool that makes it; one that can hold the only copy of something is not listed at all.
 */
export const table: Readonly<Record<string, ReadonlyArray<Kind>>> = {
  JavaScript: [
    ...directories("node_modules", "package.json", "npm install"),
    ...directories("dist build out coverage storybook-static", "package.json", "the scripts of package.json"),
    ...directories(
      ".next .nuxt .output .svelte-kit .astro .docusaurus .angular .parcel-cache .turbo .vite .nyc_output .rollup.cache .rpt2_cache .sass-cache",
      "",
      "the scripts of package.json"
    ),
    ...directories("bower_components", "bower.json", "bower install"),
    ...directories("elm-stuff", "elm.json", "elm make"),
    ...files("*.tsbuildinfo", "", "tsc --build"),
    ...files(".eslintcache .stylelintcache", "", "the linter")
  ],
  Rust: directories("target", "Cargo.toml", "cargo build"),
  Python: [
    ...directories("__pycache__ .pytest_cache .mypy_cache .ruff_cache .pytype .tox .nox .eggs", "", "the tool itself"),
    ...directories(".venv", "", "python -m venv, uv sync or poetry install"),
    ...directories("venv __pypackages__", python, "python -m venv or pdm install"),
    ...directories("build dist *.egg-info htmlcov", python, "python -m build"),
    ...files(".coverage", "", "coverage run")
  ],
  JVM: [
    ...directories("build", gradle, "gradle build"),
    ...directories(".gradle .kotlin .cxx", gradle, "gradle build"),
    ...directories("target", "pom.xml", "mvn package"),
    ...directories("target", "*.sbt build.properties", "sbt compile"),
    ...directories("target", "project.clj", "lein compile"),
    ...directories(".cpcache", "deps.edn", "clojure"),
    ...directories(".shadow-cljs", "shadow-cljs.edn", "shadow-cljs compile")
  ],
  ".NET": directories("bin obj", dotnet, "dotnet build"),
  Go: directories("vendor", "go.mod", "go mod vendor"),
  PHP: [
    ...directories("vendor", "composer.json", "composer install"),
    ...directories(".phpunit.cache", "", "phpunit"),
    ...files(".phpunit.result.cache .php-cs-fixer.cache", "", "the tool itself")
  ],
  Swift: [
    ...directories(".build", "Package.swift", "swift build"),
    ...directories("DerivedData", "*.xcodeproj *.xcworkspace Package.swift", "xcodebuild"),
    ...directories("Pods", "Podfile", "pod install")
  ],
  Dart: directories(".dart_tool build", "pubspec.yaml", "dart pub get and flutter build"),
  Elixir: [...directories("_build deps", "mix.exs", "mix"), ...directories("_build", "rebar.config", "rebar3 compile")],
  OCaml: directories("_build", "dune-project", "dune build"),
  Haskell: [
    ...directories("dist-newstyle", "*.cabal cabal.project", "cabal build"),
    ...directories(".stack-work", "stack.yaml package.yaml *.cabal", "stack build")
  ],
  Zig: directories(".zig-cache zig-cache zig-out", "build.zig", "zig build"),
  Ruby: directories("_site .jekyll-cache", "_config.yml _config.yaml _config.toml", "jekyll build"),
  Desktop: files(".DS_Store Thumbs.db", "", "the file manager")
}

const known = Object.values(table).flat()

const generic: ReadonlySet<string> = new Set(["build", "dist", "out", "bin", "obj", "target", "vendor"])

/** Secrets and state, which lie in an output directory when somebody put them there. */
const precious =
  ".env* *.env *.db *.sqlite* *.tfstate* .terraform *.key *.pem id_rsa id_dsa id_ecdsa id_ed25519 *.p12 *.pfx *.jks *.keystore *.kdb *.kdbx *.p8 *.ppk *.gpg *.pgp *.age *.ovpn *.tfvars .netrc .pypirc kubeconfig".split(
    " "
  )

/** What nobody is believed about: repositories, links of Bazel and Nix, caches of editors and agents besides. */
const never = precious.concat(
  ".git .hg .jj .svn bazel-* result result-* .direnv .idea .vscode .vs .fleet .zed .settings .history .metals .bloop .clangd .ccls-cache .claude .cursor".split(
    " "
  )
)

/**
 * What an entry of that name is, given the names that stand beside it; `undefined`: it is not known to be made again. Names
 * and markers are compared exactly (under NFC, as one name has two spellings on macOS): elsewhere another case is another name.
 */
export const kindOf = (
  name: string,
  entry: Kind["entry"],
  beside: ReadonlyArray<string>,
  settings: Settings = {}
): Kind | undefined => {
  if (isAny(name, never) || isAny(name, settings.keep)) return undefined
  const given = settings.regenerable?.find((each) => each.normalize() === name.normalize())
  if (given !== undefined && entry === "Directory") return { name: given, entry, markers: [], madeBy: "as you said" }
  const named = known.filter((kind) => kind.entry === entry && matches(name.normalize(), kind.name))
  const unmarked = named.find(({ markers }) => markers.length === 0)
  if (unmarked !== undefined) return unmarked
  return named.find(({ markers }) => markers.some((marker) => beside.some((each) => matches(each.normalize(), marker))))
}

/**
 * Whether a name inside a regenerable directory keeps the directory from being removed.
 */
export const holdsBack = (directory: string, name: string, settings: Settings = {}): boolean =>
  isAny(name, settings.keep) || (generic.has(fold(directory)) && isAny(name, precious))

/**
 * One regenerable entry on the way to a path.
 */
export interface Covering {
  /** Relative as the path is, without a slash at its end. */
  readonly path: string
  readonly kind: Kind
}

/**
 * The regenerable entries that a path, as git writes it (with `/` at its end: a directory), is or lies in, the outermost
 * first. `beside` gives the names in a directory (`""` is the top), or `undefined` where they are not known.
 */
export const covering = (
  path: string,
  beside: (directory: string) => ReadonlyArray<string> | undefined,
  settings: Settings = {}
): ReadonlyArray<Covering> => {
  const segments = path.replace(/\/$/, "").split("/")
  return segments.flatMap((name, index): ReadonlyArray<Covering> => {
    const entry = index < segments.length - 1 || path.endsWith("/") ? "Directory" : "File"
    const kind = kindOf(name, entry, beside(segments.slice(0, index).join("/")) ?? [], settings)
    return kind === undefined ? [] : [{ path: segments.slice(0, index + 1).join("/"), kind }]
  })
}

/**
 * The directories whose names `covering` needs to know for these paths.
 */
export const parents = (paths: ReadonlyArray<string>): ReadonlyArray<string> => {
  const found = new Set<string>()
  for (const path of paths) {
    const segments = path.replace(/\/$/, "").split("/")
    segments.forEach((name, index) => {
      if (known.some((kind) => kind.markers.length > 0 && matches(name.normalize(), kind.name)))
        found.add(segments.slice(0, index).join("/"))
    })
  }
  return [...found]
}

/** Where names are folded, a kept name has more than one spelling. Taking too many for it keeps too much, which is safe. */
const isAny = (name: string, patterns: ReadonlyArray<string> = []): boolean => {
  const folded = fold(name)
  return patterns.some((pattern) => matches(folded, fold(pattern)))
}

/**
 * The same text for all spellings that some file system takes for one name.
 */
export const fold = (name: string): string =>
  name
    .normalize("NFKC")
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toLowerCase()

const matches = (name: string, pattern: string): boolean => {
  const star = pattern.indexOf("*")
  if (star === -1) return name === pattern
  const before = pattern.slice(0, star)
  const after = pattern.slice(star + 1)
  if (after.endsWith("*")) return name.startsWith(before) && name.slice(before.length).includes(after.slice(0, -1))
  return name.length >= before.length + after.length && name.startsWith(before) && name.endsWith(after)
}
