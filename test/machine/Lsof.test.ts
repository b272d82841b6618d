import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as Lsof from "../../src/machine/core/Lsof.ts"

const line = (...fields: ReadonlyArray<string>): string => `${fields.join("\0")}\0\n`

const process = (pid = 501, ...files: ReadonlyArray<string>): string => line(`p${pid}`, "czsh", "u501") + files.join("")

/** A file of a process of ours, as macOS prints a working directory, except for what is given. */
const file = (given: Readonly<Record<string, string | undefined>> = {}): string => {
  const fields = { f: "cwd", t: "DIR", D: "0x100000f", i: "42", k: "3", n: "/Users/me/app", ...given }
  return line(...Object.entries(fields).flatMap(([letter, value]) => (value === undefined ? [] : [letter + value])))
}

const devices = ["/dev/disk3s5", "map auto_home", "//me@nas/share"]

const holdersOf = (text: string) => Result.getOrThrow(Lsof.parse(text, devices))

const only = (given: Readonly<Record<string, string | undefined>>) => holdersOf(process(501, file(given)))[0]

const pathsOf = (given: Readonly<Record<string, string | undefined>>) =>
  only(given)?.files.flatMap(({ paths }) => paths) ?? []

describe("Lsof.parse", () => {
  it("reads what a process holds, and by which number of its file system", () =>
    assert.deepStrictEqual(holdersOf(process(501, file(), file({ f: "3r", t: "REG", k: "2" })) + process(502)), [
      {
        pid: 501,
        missing: undefined,
        files: [
          {
            kind: "working directory",
            paths: ["/Users/me/app"],
            device: 0x100000f,
            inode: "42",
            links: 3,
            regular: false
          },
          { kind: "open file", paths: ["/Users/me/app"], device: 0x100000f, inode: "42", links: 2, regular: true }
        ]
      },
      { pid: 502, missing: undefined, files: [] }
    ]))

  it("tells what a descriptor is for", () => {
    const kinds = Object.entries({
      cwd: "working directory",
      twd: "working directory",
      rtd: "root",
      txt: "executable",
      "12": "open file",
      "fp.": "open file",
      mem: "open file"
    })
    for (const [f, kind] of kinds) assert.strictEqual(only({ f })?.files[0]?.kind, kind, f)
  })

  const names: ReadonlyArray<readonly [name: string, printed: string, paths: ReadonlyArray<string>]> = [
    ["plain ones", "/w/a b (c)", ["/w/a b (c)"]],
    ["bytes by their number, as UTF-8", "/w/\\xc3\\xa9", ["/w/é"]],
    ["white space and backslashes", "/w/\\b\\f\\n\\r\\t\\\\x41", ["/w/\b\f\n\r\t\\x41"]],
    ["a control character and its spelling alike", "/w/^A", ["/w/^A", "/w/\u0001"]],
    ["each of several", "/^A/^[", ["/^A/^[", "/^A/\u001b", "/\u0001/^[", "/\u0001/\u001b"]],
    ["a caret before other signs as it is", "/w/a^ ^a^", ["/w/a^ ^a^"]]
  ]
  for (const [name, printed, paths] of names) {
    it(`reads names: ${name}`, () => assert.sameMembers([...pathsOf({ n: printed })], [...paths]))
  }

  it("gives every spelling of six carets, and says of seven that they are too many", () => {
    assert.lengthOf(pathsOf({ n: `/${"^A".repeat(6)}` }), 64)
    assert.isDefined(only({ n: `/${"^A".repeat(7)}` })?.missing)
  })

  const nothing: ReadonlyArray<readonly [string, Readonly<Record<string, string | undefined>>]> = [
    ["a socket", { f: "5u", t: "unix", i: undefined, n: "/private/tmp/tmux-501/default" }],
    ["a connection", { f: "6u", t: "IPv4", i: undefined, n: "127.0.0.1:80->127.0.0.1:81" }],
    ["a pipe", { f: "7", t: "PIPE", i: undefined, n: "->0xabc" }],
    ["a queue", { f: "8u", t: "KQUEUE", i: undefined, n: "count=0, state=0x8" }],
    ["shared memory", { f: "9u", t: "PSXSHM", n: "/cache" }],
    ["a semaphore", { f: "9u", t: "PSXSEM", n: "/lock" }],
    ["a kind of descriptor that is not known", { f: "9u", t: "NEW", n: "[new]" }],
    ["a terminal that was revoked", { f: "0u", t: undefined, n: "(revoked)" }],
    ["a descriptor that was closed meanwhile", { f: "4", t: "", n: "vnode: FD unavailable" }],
    ["a process that ended meanwhile", { f: "4", t: "", n: "vnode: process unavailable" }],
    ["a type without a name", { f: "4", t: undefined, n: "unknown file type: 12" }],
    ["a removed working directory", { f: "cwd", t: "", n: "cwd: No such file or directory" }],
    ["a removed file without a name", { f: "4", t: "REG", k: "0", n: "" }],
    ["a removed file without a path", { f: "4", t: "REG", k: "0", n: "/System/Volumes/Data (/dev/disk3s5)" }]
  ]
  for (const [name, given] of nothing) {
    it(`finds no path in ${name}, and misses none`, () =>
      assert.deepStrictEqual(only(given), { pid: 501, files: [], missing: undefined }))
  }

  const ofPath = "a path"
  const ofPlace = "a directory or executable"
  const missing: ReadonlyArray<readonly [string, Readonly<Record<string, string | undefined>>, what: string]> = [
    ["a look that failed", { f: "err", t: undefined, n: "FD info error: Operation not permitted" }, "what failed"],
    ["a working directory without a path", { n: "cwd info error: Operation not permitted" }, ofPlace],
    ["a working directory of a kind that has none", { t: "unix", n: "->0xabc" }, ofPlace],
    ["an executable without a path", { f: "txt", t: "REG", n: "" }, ofPlace],
    ["a root without a path", { f: "rtd", n: "" }, ofPlace],
    ["a thread's directory without a path", { f: "twd", t: undefined, n: "unknown" }, ofPlace],
    [
      "a descriptor without a type",
      { f: "4", t: undefined, n: "vnode info error: Operation not permitted" },
      "a descriptor"
    ],
    ["a file without a path", { f: "4", t: "REG", n: "/System/Volumes/Data (/dev/disk3s5)" }, ofPath],
    ["a directory without a path", { f: "cwd", n: "/Users (map auto_home)" }, ofPath],
    ["a file on a share without a path", { f: "4", t: "REG", n: "/Volumes/share (//me@nas/share)" }, ofPath],
    ["a file of a device that was mounted meanwhile", { f: "4", t: "REG", n: "/Volumes/x (/dev/disk9s1)" }, ofPath],
    ["a file whose link count is not known", { f: "4", t: "REG", k: undefined, n: "/x (/dev/disk3s5)" }, ofPath],
    ["a file with no name at all", { f: "4", t: "REG", n: "" }, ofPath],
    ["a name of which too many can be meant", { n: `/${"^A".repeat(40)}` }, ofPath],
    ["a path that the kernel may have cut", { f: "4", t: "REG", n: `/${"a".repeat(767)}` }, "all of a path"],
    ["one that is as long in bytes", { f: "4", t: "REG", n: `/${"\\xc3\\xa9".repeat(384)}` }, "all of a path"],
    ["one whose beginning is gone", { f: "4", t: "REG", n: "a/".repeat(500) }, "all of a path"]
  ]
  for (const [name, given, what] of missing) {
    it(`says of ${name} that it is missing`, () => {
      assert.match(only(given)?.missing ?? "", new RegExp(`^lsof does not tell ${what} of it: f[^\0]+$`))
      assert.isUndefined(holdersOf(process(501, file(given)) + process(502, file()))[1]?.missing)
    })
  }

  it("takes no directory whose name holds brackets for one without a path", () => {
    for (const n of ["/w/app (copy)", "/w (/dev/x) copy"]) assert.deepStrictEqual(pathsOf({ n }), [n])
  })

  it("leaves out what is not told of a file", () =>
    assert.deepStrictEqual(only({ D: undefined, i: undefined, k: undefined })?.files, [
      {
        kind: "working directory",
        paths: ["/Users/me/app"],
        device: undefined,
        inode: undefined,
        links: undefined,
        regular: false
      }
    ]))

  it("reads a path of 767 bytes", () => assert.lengthOf(pathsOf({ n: `/${"a".repeat(766)}` }), 1))

  const hostile: ReadonlyArray<readonly [string, string]> = [
    ["is empty", ""],
    ["was cut off behind a line", process(501, file()).slice(0, -1)],
    ["was cut off within a line", process(501, file()).slice(0, -4)],
    ["was cut off within a line that ends", `${process(501, file()).slice(0, -12)}\n`],
    ["was cut off within a line before others", `${process(501, file()).slice(0, -5)}\n${process(502)}`],
    ["has a line of something else", process(501, line("tDIR", "n/a"))],
    ["begins with a file", file()],
    ["has an empty line", `${process(501)}\n${process(502)}`],
    ["has a complaint in it", `lsof: WARNING: can't stat()\n${process(501)}`],
    ["has a field that was not asked for", process(501, file({ a: "u" }))],
    ["has a field twice", process(501, line("fcwd", "n/a", "n/b"))],
    ["lacks a name", process(501, file({ n: undefined }))],
    ["has a name before other fields", process(501, line("fcwd", "n/a", "tDIR"))],
    ["has a pid that is no number", line("p-1", "cx", "u501")],
    ["has a device that is no number", process(501, file({ D: "1,4" }))],
    ["has a name that is not printable", process(501, file({ n: "/w/é" }))],
    ["has a backslash that says nothing", process(501, file({ n: "/w/\\q" }))]
  ]
  for (const [name, text] of hostile) {
    it(`is no answer when it ${name}`, () => assert.isTrue(Result.isFailure(Lsof.parse(text, devices))))
  }

  it("says what is wrong with it", () => {
    const why = (text: string) => Result.getOrElse(Result.flip(Lsof.parse(text, devices)), () => "")
    assert.match(why(""), /nothing, or was cut off$/)
    const wrong = why(`${process(501)}${line("x".repeat(1000))}`)
    assert.match(wrong, /^a line of lsof has another shape: "x+"$/)
    assert.isBelow(wrong.length, 300)
  })
})

describe("Lsof.socketArgs", () => {
  it("asks for the sockets of these processes and no other", () =>
    assert.deepStrictEqual(Lsof.socketArgs([7, 8]).slice(Lsof.args.length), ["-a", "-U", "-p", "7,8"]))
})

describe("Lsof.connected", () => {
  const socket = (n: string, t = "unix") => file({ f: "5u", t, i: undefined, n })
  const listening = socket("/private/tmp/tmux-501/default")
  const client = socket("->0x1234")
  const cases: ReadonlyArray<readonly [name: string, text: string, pids: ReadonlyArray<number>]> = [
    ["are those that show no path", process(501, client), [501]],
    ["nor a name", process(501, socket(""), socket("type=STREAM")), [501]],
    ["are none that listens, whatever comes before and after", process(501, client, listening, client), []],
    ["are none by a path behind another sign", process(501, socket("/a->b")), []],
    ["are none that listens at a relative path", process(501, socket("tmux.sock")), []],
    ["are none without a socket", process(501, socket("->0x1", "IPv4")), []],
    ["each by itself", process(501, listening) + process(502, client) + process(503, client), [502, 503]],
    ["are none where the output was cut off", process(501, client) + process(502, client).slice(0, -1), []],
    ["are none where there is no output", "", []],
    ["are none where a line has another shape", `${process(501, client)}x\n${process(502, client)}`, []],
    ["are none where a socket is no process's", client + process(502, client), []]
  ]
  for (const [name, text, pids] of cases) {
    it(name, () => assert.deepStrictEqual([...Lsof.connected(text)], pids))
  }
})
