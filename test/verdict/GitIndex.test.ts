import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as GitIndex from "../../src/verdict/core/GitIndex.ts"

interface Entry {
  readonly name: string
  readonly mode?: number
  readonly assumeUnchanged?: boolean
  readonly skipWorktree?: boolean
}

const hashBytes = 20

/** An index of version 2, or 3 where an entry needs it. */
const index = (entries: ReadonlyArray<Entry>, extensions: ReadonlyArray<string> = [], version = 3): Uint8Array => {
  const header = Buffer.alloc(12)
  header.write("DIRC")
  header.writeUInt32BE(version, 4)
  header.writeUInt32BE(entries.length, 8)
  const body = entries.map(({ name, mode = 0o100644, assumeUnchanged = false, skipWorktree = false }) => {
    const fixed = Buffer.alloc(42 + hashBytes + (skipWorktree ? 2 : 0))
    fixed.writeUInt32BE(mode, 24)
    fixed.writeUInt16BE((assumeUnchanged ? 0x8000 : 0) | (skipWorktree ? 0x4000 : 0) | name.length, 40 + hashBytes)
    if (skipWorktree) fixed.writeUInt16BE(0x4000, 42 + hashBytes)
    const whole = Buffer.concat([fixed, Buffer.from(name)])
    return Buffer.concat([whole, Buffer.alloc(8 - (whole.length % 8))])
  })
  const more = extensions.map((name) => {
    const extension = Buffer.alloc(8 + 3)
    extension.write(name)
    extension.writeUInt32BE(3, 4)
    return extension
  })
  return Uint8Array.from(Buffer.concat([header, ...body, ...more, Buffer.alloc(hashBytes)]))
}

/** An index of version 4, whose names begin as the one before, but for its last `cut` bytes. */
const version4 = (entries: ReadonlyArray<{ readonly cut: number; readonly rest: string }>): Uint8Array => {
  const header = index([], [], 4).subarray(0, 12).with(11, entries.length)
  const body = entries.map(({ cut, rest }) =>
    Buffer.concat([Buffer.alloc(42 + hashBytes), Uint8Array.of(cut), Buffer.from(`${rest}\0`)])
  )
  return Uint8Array.from(Buffer.concat([header, ...body, Buffer.alloc(hashBytes)]))
}

const parse = (bytes: Uint8Array) => GitIndex.parse(bytes, hashBytes)

describe("GitIndex.parse", () => {
  it("tells flags and submodules", () => {
    const entries = [
      { name: "a" },
      { name: "b/assumed", assumeUnchanged: true },
      { name: "c", skipWorktree: true },
      { name: "d", assumeUnchanged: true, skipWorktree: true },
      { name: "é/sub", mode: 0o160000 }
    ]
    assert.deepStrictEqual(parse(index(entries, ["TREE", "REUC"])), {
      flagged: [
        { path: "b/assumed", flag: "assume-unchanged" },
        { path: "c", flag: "skip-worktree" },
        { path: "d", flag: "assume-unchanged" },
        { path: "d", flag: "skip-worktree" }
      ],
      submodules: ["é/sub"]
    })
    assert.deepStrictEqual(parse(index([])), { flagged: [], submodules: [] })
  })

  it("gives nothing of an index that only git can read", () => {
    const entries = [{ name: "a" }]
    for (const [why, bytes] of [
      ["another version", index(entries, [], 5)],
      ["a version that is to come, without an entry", index([], [], 5)],
      ["a version of long ago", index([], [], 1)],
      ["another signature", index([]).with(0, 0x64)],
      ["an extension in small letters", index([], ["aREE"])],
      ["extensions that no letter begins", index([], ["@REE"])],
      ["the same", index([], ["[REE"])],
      ["an extension that goes on behind the end", index([], ["TREE"]).with(19, 4)],
      ["a name that goes on behind the end", index(entries).subarray(0, -1)],
      [
        "a name that takes more from the one before than it has",
        version4([
          { cut: 0, rest: "a" },
          { cut: 2, rest: "b" }
        ])
      ],
      ["an extension that has to be understood", index(entries, ["link"])],
      ["a sparse directory", index([{ name: "a/", mode: 0o040000 }])],
      ["no index", new TextEncoder().encode("not an index, whatever it is called")],
      ["nothing", new Uint8Array()]
    ] as const) {
      assert.isUndefined(parse(bytes), why)
      assert.isUndefined(GitIndex.paths(bytes, hashBytes), why)
    }
  })

  it("passes over extensions that need not be understood, in the oldest version too", () => {
    assert.deepStrictEqual(parse(index([], ["AREE", "ZREE"], 2)), { flagged: [], submodules: [] })
  })

  it("takes a name from the one before", () => {
    const bytes = version4([
      { cut: 0, rest: "ab" },
      { cut: 1, rest: "c" },
      { cut: 2, rest: "d" }
    ])
    assert.deepStrictEqual(GitIndex.paths(bytes, hashBytes), ["ab", "ac", "d"])
  })

  it("loses no entry of an index that was cut off", () => {
    const whole = index([{ name: "a" }, { name: "b", assumeUnchanged: true }], ["TREE"])
    for (let length = 0; length < whole.length; length++) {
      const cut = parse(whole.subarray(0, length))
      if (cut !== undefined) assert.deepStrictEqual(cut, parse(whole), `of ${length} bytes`)
    }
  })

  it("reads what git itself writes, in every version", () => {
    const directory = fs.mkdtempSync(`${os.tmpdir()}/index-`)
    try {
      const git = (...args: ReadonlyArray<string>) =>
        execFileSync("git", ["-C", directory, "-c", "core.hooksPath=/dev/null", ...args], {
          env: { PATH: process.env["PATH"], GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" }
        })
      git("init", "--quiet")
      for (const name of ["deep/a", "deep/abc", "deep/b", `deep/${"x".repeat(200)}`, "é"]) {
        fs.mkdirSync(`${directory}/deep`, { recursive: true })
        fs.writeFileSync(`${directory}/${name}`, name)
      }
      git("add", "--all")
      git("update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},deep/sub`)
      git("update-index", "--assume-unchanged", "deep/abc")
      git("update-index", "--skip-worktree", "é")
      for (const version of ["2", "3", "4"]) {
        git("update-index", "--index-version", version)
        assert.deepStrictEqual(
          parse(fs.readFileSync(`${directory}/.git/index`)),
          {
            flagged: [
              { path: "deep/abc", flag: "assume-unchanged" },
              { path: "é", flag: "skip-worktree" }
            ],
            submodules: ["deep/sub"]
          },
          `version ${version}`
        )
        assert.deepStrictEqual(
          GitIndex.paths(fs.readFileSync(`${directory}/.git/index`), hashBytes),
          git("ls-files", "-z").toString().split("\0").slice(0, -1),
          `version ${version}`
        )
      }
    } finally {
      fs.rmSync(directory, { recursive: true })
    }
  })
})
