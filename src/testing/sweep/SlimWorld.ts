/**
 * Directories as tools and people leave them in a worktree: what is on the disk, what git says of it, and whether it may go.
 */
import type * as Arbitrary from "effect/Arbitrary"
import type * as IgnoredTree from "../../verdict/core/IgnoredTree.ts"
import type * as Regenerable from "../../verdict/core/Regenerable.ts"
import type * as FakeFileSystem from "../FakeFileSystem.ts"
import * as Gen from "../Gen.ts"

/**
 * One directory, or what stands in its place, in a directory of its own.
 */
export interface Specimen {
  readonly name: string
  /** What stands beside it: the file that vouches for its name, that file in another case, or nothing. */
  readonly marker: "Right" | "OtherCase" | "None"
  readonly is: "Directory" | "Link" | "File"
  /** What git says: ignored as one, file by file, or with something in it that is tracked, perhaps by another spelling, or untracked. */
  readonly git: "Whole" | "OneByOne" | "Tracked" | "TrackedOtherCase" | "Untracked"
  readonly holds:
    | "Nothing"
    | "LinkOut"
    | "Git"
    | "Bare"
    | "Mercurial"
    | "Secret"
    | "Kept"
    | "Device"
    | "Mount"
    | "OtherUser"
  /** Where a link of the repository's main worktree leads. */
  readonly ledTo: "No" | "It" | "Inside" | "Around"
}

/** What a person says in every such world. */
export const settings: Regenerable.Settings = { regenerable: ["café"], keep: ["keep.me"] }

/** Names, and the file that vouches for each; `null`: none need to, `undefined`: none can. */
const names: Readonly<Record<string, { readonly marker: string | null | undefined; readonly isGeneric: boolean }>> = {
  node_modules: { marker: "package.json", isGeneric: false },
  dist: { marker: "package.json", isGeneric: true },
  target: { marker: "Cargo.toml", isGeneric: true },
  __pycache__: { marker: null, isGeneric: false },
  // The normal form in which macOS gives it.
  "cafe\u0301": { marker: null, isGeneric: false },
  Node_Modules: { marker: undefined, isGeneric: false },
  sources: { marker: undefined, isGeneric: false },
  ".env": { marker: undefined, isGeneric: false },
  ".idea": { marker: undefined, isGeneric: false }
}

export const specimen: Arbitrary.Arbitrary<Specimen> = Gen.struct({
  name: Gen.element(Object.keys(names)),
  marker: Gen.element<Specimen["marker"]>(["Right", "Right", "Right", "OtherCase", "None"]),
  is: Gen.element<Specimen["is"]>(["Directory", "Directory", "Directory", "Directory", "Link", "File"]),
  git: Gen.element<Specimen["git"]>(["Whole", "Whole", "OneByOne", "Tracked", "TrackedOtherCase", "Untracked"]),
  holds: Gen.element<Specimen["holds"]>([
    ...(["Nothing", "Nothing", "Nothing", "Nothing", "LinkOut", "Git", "Bare", "Mercurial"] as const),
    ...(["Secret", "Kept", "Device", "Mount", "OtherUser"] as const)
  ]),
  ledTo: Gen.element<Specimen["ledTo"]>(["No", "No", "No", "No", "It", "Inside", "Around"])
})

/** Where the specimen of that number lies, relative to its worktree. */
export const placeOf = ({ name }: Specimen, index: number): string => `s${index}/${name}`

/** Whether it may go, as a person would say. */
export const mayGo = ({ name, marker, is, git, holds, ledTo }: Specimen): boolean => {
  const known = names[name]
  const isVouched = known?.marker === null || (known?.marker !== undefined && marker === "Right")
  const isFree = holds === "Nothing" || holds === "LinkOut" || (holds === "Secret" && known?.isGeneric === false)
  return isVouched && is === "Directory" && (git === "Whole" || git === "OneByOne") && isFree && ledTo === "No"
}

/** What is on the disk of a worktree, besides what is in every one. */
export const nodesOf = (worktree: string, specimens: ReadonlyArray<Specimen>, user: number): FakeFileSystem.Tree =>
  Object.assign({}, ...specimens.map((each, index) => nodes(`${worktree}/${placeOf(each, index)}`, each, user)))

const nodes = (at: string, { name, marker, is, git, holds }: Specimen, user: number): FakeFileSystem.Tree => {
  const beside = at.slice(0, at.lastIndexOf("/"))
  const vouching = names[name]?.marker ?? "package.json"
  const markers: FakeFileSystem.Tree =
    marker === "None" ? {} : { [`${beside}/${marker === "Right" ? vouching : vouching.toUpperCase()}`]: { text: "" } }
  if (is === "Link")
    return { ...markers, [`${beside}/elsewhere/x`]: { text: "x" }, [at]: { symlink: `${beside}/elsewhere` } }
  if (is === "File") return { ...markers, [at]: { text: "x" } }
  return {
    ...markers,
    [`${at}/f/x`]: { text: "made again" },
    ...(git === "Tracked" ? { [`${at}/tracked`]: { text: "by hand" } } : {}),
    ...(git === "Untracked" ? { [`${at}/new`]: { text: "by hand" } } : {}),
    ...held(at, holds, user)
  }
}

const held = (at: string, holds: Specimen["holds"], user: number): FakeFileSystem.Tree => {
  const text = { text: "by hand" }
  switch (holds) {
    case "Nothing":
    case "Mount":
      return {}
    case "LinkOut":
      return { "/w/outside/x": text, [`${at}/f/out`]: { symlink: "/w/outside" } }
    case "Git":
      return { [`${at}/f/.git/config`]: text }
    case "Bare":
      return { [`${at}/f/HEAD`]: text, [`${at}/f/objects/x`]: text, [`${at}/f/refs/x`]: text }
    case "Mercurial":
      return { [`${at}/f/.HG/x`]: text }
    case "Secret":
      return { [`${at}/f/.env.local`]: text }
    case "Kept":
      return { [`${at}/f/KEEP.me`]: text }
    case "Device":
      return { [`${at}/mnt`]: { dir: true, device: 2n }, [`${at}/mnt/x`]: text }
    case "OtherUser":
      return { [`${at}/theirs`]: { dir: true, owner: user + 1 } }
  }
}

/** What git says of them. */
export const contentOf = (specimens: ReadonlyArray<Specimen>): IgnoredTree.Content => {
  const each = specimens.map((specimen, index) => content(placeOf(specimen, index), specimen))
  return {
    ignored: each.flatMap(({ ignored }) => ignored),
    untracked: each.flatMap(({ untracked }) => untracked),
    tracked: each.flatMap(({ tracked }) => tracked)
  }
}

const content = (at: string, { is, git }: Specimen): IgnoredTree.Content => {
  const said = { ignored: [`${at}/f/x`], untracked: [], tracked: [] }
  if (is !== "Directory") return { ...said, ignored: [at] }
  switch (git) {
    case "Whole":
      return { ...said, ignored: [`${at}/`] }
    case "OneByOne":
      return { ...said, ignored: [`${at}/f/`] }
    case "Tracked":
      return { ...said, tracked: [`${at}/tracked`] }
    case "TrackedOtherCase":
      return { ...said, ignored: [`${at}/`], tracked: [`${at.toUpperCase()}/x`] }
    case "Untracked":
      return { ...said, untracked: [`${at}/new`] }
  }
}

/** Mount points that the file system does not show by another device. */
export const mountsOf = (worktree: string, specimens: ReadonlyArray<Specimen>): ReadonlyArray<string> =>
  specimens.flatMap((each, index) =>
    each.holds === "Mount" && each.is === "Directory" ? [`${worktree}/${placeOf(each, index)}/f`] : []
  )

/** The links of another worktree that lead there. */
export const linksOf = (other: string, worktree: string, specimens: ReadonlyArray<Specimen>): FakeFileSystem.Tree =>
  Object.fromEntries(
    specimens.flatMap((each, index) => {
      if (each.ledTo === "No") return []
      const at = `${worktree}/${placeOf(each, index)}`
      const target = { It: at, Inside: `${at}/f`, Around: `${worktree}/s${index}` }[each.ledTo]
      return [[`${other}/links/${index}`, { symlink: target }]]
    })
  )
