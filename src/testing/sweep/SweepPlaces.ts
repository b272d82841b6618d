/**
 * The directories of every world, and which of their spellings are one place.
 */
import type * as FakeFileSystem from "../FakeFileSystem.ts"

/** The root that every world lies under. */
export const root = "/root"

/** The config directory of Claude Code. */
export const configDirectory = "/home/.claude"

/**
 * Every path that a world uses, with the places it may be taken for: as it is spelled and, where that leads elsewhere, as
 * the file system follows it. `undefined`: it cannot be placed, and is told by its spelling alone.
 */
export const places: Readonly<Record<string, ReadonlyArray<string> | undefined>> = {
  "/w/a": ["/w/a"],
  "/w/b": ["/w/b"],
  "/w/ab": ["/w/ab"],
  "/w/a/in": ["/w/a/in"],
  "/w/é": ["/w/é"],
  "/w/r/.claude/worktrees/x": ["/w/r/.claude/worktrees/x"],
  "/w/a/.claude/worktrees/y": ["/w/a/.claude/worktrees/y"],
  "/w/r/.git/reclaimed/t-x": ["/w/r/.git/reclaimed/t-x"],
  "/l/b": ["/l/b", "/w/b"],
  "/w": ["/w"],
  "/w/A": ["/w/A"],
  "/x": ["/x"],
  "/": [""],
  "/w/a/": ["/w/a"],
  "/w/./ab/../a": ["/w/a"],
  "/w/a/gone/deep": ["/w/a/gone/deep"],
  "/w/e\u0301": ["/w/é"],
  "/l/w/a": ["/l/w/a", "/w/a"],
  "/l/w": ["/l/w", "/w"],
  "/l/in/../ab": ["/l/ab", "/w/a/ab"],
  "/l/dangling": ["/l/dangling", "/w/gone"],
  "/l/b/deep": ["/l/b/deep", "/w/b/deep"],
  "/w/a/file": ["/w/a/file"],
  "": undefined,
  "w/a": undefined,
  "/w/a\0": undefined,
  "/l/loop": undefined,
  "/l/loop/x": undefined,
  "/shut/x": undefined,
  "/w/a/file/x": undefined
}

/** Where a worktree may stand. */
export const worktreePaths: ReadonlyArray<string> = Object.keys(places).slice(0, 9)

/** What a record may say of its workspace and can be placed. */
export const placeablePaths: ReadonlyArray<string> = Object.keys(places).filter((path) => places[path] !== undefined)

export const unplaceablePaths: ReadonlyArray<string> = Object.keys(places).filter((path) => places[path] === undefined)

/** Where the directory itself is, whatever links lead there. */
export const truePath = (path: string): string => places[path]?.at(-1) ?? path

export const links: FakeFileSystem.Tree = {
  "/l/b": { symlink: "/w/b" },
  "/l/w": { symlink: "../w" },
  "/l/in": { symlink: "/w/a/in" },
  "/l/dangling": { symlink: "/w/gone" },
  "/l/loop": { symlink: "loop" }
}

/** What stands in every world. */
export const layout: FakeFileSystem.Tree = {
  "/w/a/in": { dir: true },
  "/w/a/.claude/worktrees/y": { dir: true },
  "/w/a/file": { text: "" },
  "/w/b": { dir: true },
  "/w/ab": { dir: true },
  "/w/A": { dir: true },
  "/w/é": { dir: true },
  "/w/r/.claude/worktrees/x": { dir: true },
  "/w/r/.git/reclaimed/t-x": { dir: true },
  "/w/s/.git": { dir: true },
  "/x": { dir: true },
  "/shut": { dir: true, mode: 0 },
  ...links
}

/** Where a repository's main worktree stands. */
export const repositoryPaths: ReadonlyArray<string> = ["/w/r", "/w/s"]

export const commonDirectory = (repository: number): string => `${repositoryPaths[repository] ?? "/w/r"}/.git`
