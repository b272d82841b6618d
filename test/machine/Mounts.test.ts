import { assert, describe, it } from "@effect/vitest"
import * as Mounts from "../../src/machine/core/Mounts.ts"

const mount = (given: Partial<Mounts.Mount>): Mounts.Mount => ({
  id: "1",
  parent: "0",
  device: "8:1",
  root: "/",
  point: "/",
  type: "ext4",
  options: ["rw"],
  ...given
})

/** Each of `rows` is an id, the id of the mount that it is mounted on, and where. */
const tree = (
  ...rows: ReadonlyArray<readonly [id: string, parent: string, point: string]>
): ReadonlyArray<Mounts.Mount> => rows.map(([id, parent, point]) => mount({ id, parent, point }))

/** Each is a device, the directory of it that is mounted, and where; the first holds the others. */
type Rows = ReadonlyArray<readonly [device: string, root: string, point: string]>

const binds = (rows: Rows): ReadonlyArray<Mounts.Mount> =>
  rows.map(([device, root, point], index) =>
    mount({ id: `${index + 1}`, parent: index === 0 ? "0" : "1", device, root, point })
  )

describe("Mounts.parse", () => {
  const line = "36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue"
  const read = mount({
    id: "36",
    parent: "35",
    device: "98:0",
    root: "/mnt1",
    point: "/mnt2",
    type: "ext3",
    options: ["rw", "errors=continue"]
  })

  const cases: ReadonlyArray<readonly [name: string, text: string, mounts: ReadonlyArray<Mounts.Mount>]> = [
    ["nothing as no mount", "", []],
    ["each line as one mount, in their order", `${line}\n${line.replace("36", "37")}\n`, [read, { ...read, id: "37" }]],
    ["any number of optional fields", line.replace("master:1", "shared:2 master:1 unbindable"), [read]],
    ["no optional field", line.replace(" master:1", ""), [read]],
    ["a source without a name", line.replace("/dev/root", ""), [read]],
    [
      "white space and backslashes in names, each once",
      line.replace("/mnt1", "/a\\040b\\011c").replace("/mnt2", "/d\\012\\134040"),
      [{ ...read, root: "/a b\tc", point: "/d\n\\040" }]
    ],
    ["a backslash before other signs as it is", line.replace("/mnt1", "/a\\08\\9"), [{ ...read, root: "/a\\08\\9" }]]
  ]
  for (const [name, text, mounts] of cases) {
    it(`reads ${name}`, () => assert.deepStrictEqual(Mounts.parse(text), mounts))
  }

  const others: ReadonlyArray<readonly [name: string, line: string]> = [
    ["has no separator", line.replace(" - ", " ")],
    ["ends at the separator", line.slice(0, line.indexOf("ext3"))],
    ["has no options behind the source", line.slice(0, line.lastIndexOf(" "))],
    ["has no mount point", "36 35 98:0 /mnt1 - ext3 /dev/root rw"],
    ["is something else", "mount: /mnt2"]
  ]
  for (const [name, other] of others) {
    it(`gives nothing when one line of several ${name}`, () =>
      assert.isUndefined(Mounts.parse(`${line}\n${other}\n${line}\n`)))
  }
})

describe("Mounts.of", () => {
  const plain = tree(["1", "0", "/"], ["2", "1", "/a"], ["3", "2", "/a/b"])
  // Whatever was mounted at /a/b came first: 3 is mounted on 1, above it.
  const hidden = tree(["1", "0", "/"], ["2", "1", "/a/b"], ["3", "1", "/a"])
  const stacked = tree(["1", "0", "/"], ["2", "1", "/a"], ["3", "2", "/a"])
  const ownParent = tree(["1", "1", "/"], ["2", "1", "/"])
  const topless = tree(["5", "4", "/a/b"], ["6", "4", "/a"])

  const cases: ReadonlyArray<
    readonly [name: string, mounts: ReadonlyArray<Mounts.Mount>, path: string, id: string | undefined]
  > = [
    ["is the root where nothing else is mounted", plain, "/x", "1"],
    ["of the root is the root", plain, "/", "1"],
    ["of a mount point is what is mounted there", plain, "/a", "2"],
    ["is the one above", plain, "/a/x", "2"],
    ["goes by whole names", plain, "/ab", "1"],
    ["is the innermost of those on each other", plain, "/a/b/c", "3"],
    ["is not what a later mount above hides", hidden, "/a/b/c", "3"],
    ["is the upper one of two at one point", stacked, "/a/x", "3"],
    ["is found from a root that is its own parent", ownParent, "/x", "2"],
    ["is found where the root itself cannot be seen", topless, "/a/b/c", "6"],
    [
      "is the later one of two at one point whose parent cannot be seen",
      tree(["5", "4", "/"], ["6", "4", "/"]),
      "/",
      "6"
    ],
    ["is none outside of all that can be seen", topless, "/b", undefined],
    ["is none where nothing is mounted", [], "/", undefined]
  ]
  for (const [name, mounts, path, id] of cases) {
    it(`${name}: ${path}`, () => assert.strictEqual(Mounts.of(mounts, path)?.id, id))
  }

  it("does not depend on the order of those that are mounted on each other", () => {
    for (const [mounts, path] of [
      [plain, "/a/b"],
      [hidden, "/a/b"],
      [stacked, "/a"],
      [ownParent, "/"]
    ] as const)
      assert.strictEqual(Mounts.of(mounts.toReversed(), path), Mounts.of(mounts, path))
  })
})

describe("Mounts.pathsOf", () => {
  const whole: Rows = [["8:1", "/", "/"]]
  const cases: ReadonlyArray<
    readonly [name: string, ours: Rows, theirs: Rows, path: string, paths: ReadonlyArray<string>]
  > = [
    ["is the same path in the same mounts", whole, whole, "/w/a", ["/w/a"]],
    ["is the root in the same mounts", whole, whole, "/", ["/"]],
    ["is our mount point for their root", [...whole, ["8:1", "/", "/disk"]], whole, "/", ["/", "/disk"]],
    ["is that directory for their root", whole, [["8:1", "/srv/w", "/"]], "/", ["/srv/w"]],
    [
      "is where the directory lies that they have mounted",
      whole,
      [["8:1", "/srv/w", "/work"]],
      "/work/a",
      ["/srv/w/a"]
    ],
    ["is that directory for its mount point", whole, [["8:1", "/srv/w", "/work"]], "/work", ["/srv/w"]],
    ["is below the directory that is their root", whole, [["8:1", "/srv/w", "/"]], "/a", ["/srv/w/a"]],
    ["is below our mount point", [["8:1", "/", "/disk"]], whole, "/w/a", ["/disk/w/a"]],
    ["is our mount point for its directory", [["8:1", "/srv/w", "/here"]], whole, "/srv/w", ["/here"]],
    ["is our root for its directory", [["8:1", "/srv/w", "/"]], whole, "/srv/w", ["/"]],
    ["is below our root", [["8:1", "/srv/w", "/"]], whole, "/srv/w/a", ["/a"]],
    [
      "is in every place in which we have mounted it",
      [...whole, ["8:1", "/srv", "/mnt"], ["8:1", "/srv/w/a", "/a"]],
      whole,
      "/srv/w/a",
      ["/srv/w/a", "/mnt/w/a", "/a"]
    ],
    ["goes by the mount that it lies on", whole, [...whole, ["8:2", "/", "/w"]], "/w/a", []],
    ["is none on another device", [["8:2", "/", "/"]], whole, "/w/a", []],
    ["is none where we have mounted another directory", [["8:1", "/home", "/"]], whole, "/w/a", []],
    ["goes by whole names", [["8:1", "/w/a", "/"]], whole, "/w/ab", []],
    ["is none of what lies on no mount of theirs", whole, [], "/w/a", []]
  ]
  for (const [name, ours, theirs, path, paths] of cases) {
    it(`${name}: ${path}`, () => assert.deepStrictEqual(Mounts.pathsOf(binds(ours), binds(theirs), path), paths))
  }
})

describe("Mounts.bound", () => {
  const whole: Rows = [["8:1", "/", "/"]]
  const cases: ReadonlyArray<
    readonly [name: string, ours: Rows, theirs: Rows, bound: ReadonlyArray<readonly [point: string, path: string]>]
  > = [
    ["no whole file system", [...whole, ["8:2", "/", "/home"]], [...whole, ["8:2", "/", "/work"]], []],
    ["the directory that is mounted", whole, [["8:1", "/srv/w", "/work"]], [["/work", "/srv/w"]]],
    [
      "each that is mounted",
      whole,
      [...whole, ["8:1", "/w/a", "/a"], ["8:1", "/w/b", "/b"]],
      [
        ["/a", "/w/a"],
        ["/b", "/w/b"]
      ]
    ],
    [
      "it at every path of ours",
      [...whole, ["8:1", "/srv", "/mnt"]],
      [["8:1", "/srv/w", "/work"]],
      [
        ["/work", "/srv/w"],
        ["/work", "/mnt/w"]
      ]
    ],
    ["nothing that we do not see", [["8:1", "/home", "/home"]], [["8:1", "/srv/w", "/work"]], []],
    ["nothing of another device", whole, [["8:2", "/srv/w", "/work"]], []],
    ["no namespace, which is no directory", whole, [["0:4", "mnt:[4026532]", "/run/ns"]], []]
  ]
  for (const [name, ours, theirs, bound] of cases) {
    it(`gives ${name}`, () =>
      assert.deepStrictEqual(
        Mounts.bound(binds(ours), binds(theirs)),
        bound.map(([point, path]) => ({ point, path }))
      ))
  }
})

describe("Mounts, of overlays", () => {
  const overlay = (options: string) =>
    mount({ id: "9", parent: "1", point: "/to", type: "overlay", options: options.split(",") })
  const paths = (options: string) =>
    Mounts.bound(binds([["8:1", "/", "/"]]), [overlay(options)]).map(({ path }) => path)

  const cases: ReadonlyArray<readonly [options: string, paths: ReadonlyArray<string>]> = [
    ["rw,lowerdir=/w/a,upperdir=/w/up,workdir=/w/work", ["/w/a", "/w/up", "/w/work"]],
    ["lowerdir=/w/a:/w/b::/w/c", ["/w/a", "/w/b", "/w/c"]],
    ["lowerdir+=/w/a,datadir+=/w/d", ["/w/a", "/w/d"]],
    ["lowerdir=/w/a\\134:b:/w/c", ["/w/a:b", "/w/c"]],
    ["lowerdir=/w/my\\040fix", ["/w/my fix"]],
    ["datadir=/w/d,workdir=/w/work", ["/w/d", "/w/work"]],
    ["xlowerdir=/w/a,lowerdirs=/w/b", []],
    ["lowerdir=relative,redirect_dir=/w/x", []]
  ]
  for (const [options, made] of cases) {
    it(`gives what ${options} is made of`, () => assert.deepStrictEqual(paths(options), made))
  }

  it("shows what it is made of elsewhere", () => {
    const mounts = [...binds([["8:1", "/", "/"]]), overlay("lowerdir=/w/a")]
    assert.deepStrictEqual(Mounts.showing(mounts, "/w"), ["/to"])
    assert.deepStrictEqual(Mounts.showing(mounts, "/w/b"), [])
  })

  it("is not asked of another kind of file system", () => {
    assert.deepStrictEqual(Mounts.bound([], [mount({ options: ["lowerdir=/w/a"] })]), [])
  })
})

describe("Mounts.showing", () => {
  const whole: Rows = [["8:1", "/", "/"]]
  const cases: ReadonlyArray<readonly [name: string, mounts: Rows, points: ReadonlyArray<string>]> = [
    ["are none where nothing of it is mounted", [...whole, ["8:1", "/srv", "/mnt"], ["8:1", "/wa", "/a"]], []],
    ["show it", [...whole, ["8:1", "/w", "/mnt"]], ["/mnt"]],
    ["show a directory in it", [...whole, ["8:1", "/w/a/b", "/mnt"]], ["/mnt"]],
    ["are told once each", [...whole, ["8:1", "/w/a", "/mnt"], ["8:1", "/w/a", "/w/b"]], ["/mnt", "/w/b"]],
    ["do not show what is above it", [...whole, ["8:1", "/", "/mnt"]], []],
    ["are not what it is itself", [["8:1", "/home/w", "/w"]], []],
    ["are not what it is itself, where its other path is seen too", [...whole, ["8:1", "/home/w", "/w"]], []]
  ]
  for (const [name, mounts, points] of cases) {
    it(name, () => assert.deepStrictEqual(Mounts.showing(binds(mounts), "/w"), points))
  }
})

describe("Mounts.hidesProcesses", () => {
  const proc = { type: "proc", point: "/proc" }
  const cases: ReadonlyArray<readonly [name: string, mount: Partial<Mounts.Mount>, hides: boolean]> = [
    ["without the option it does not", { ...proc, options: ["rw"] }, false],
    ["switched off by number it does not", { ...proc, options: ["rw", "hidepid=0"] }, false],
    ["switched off by name it does not", { ...proc, options: ["rw", "hidepid=off"] }, false],
    ["by number it does", { ...proc, options: ["rw", "hidepid=2"] }, true],
    ["by name it does", { ...proc, options: ["hidepid=invisible", "gid=4"] }, true],
    ["another option does not", { ...proc, options: ["nohidepid=2"] }, false],
    ["elsewhere it does not", { ...proc, point: "/w/proc", options: ["hidepid=2"] }, false],
    ["of another file system it does not", { ...proc, type: "tmpfs", options: ["hidepid=2"] }, false]
  ]
  for (const [name, given, hides] of cases) {
    it(name, () => assert.strictEqual(Mounts.hidesProcesses([mount({}), mount(given), mount({})]), hides))
  }
})

describe("Mounts.inside", () => {
  it("are the mount points below the path, not the path itself or what is only called alike", () =>
    assert.deepStrictEqual(
      Mounts.inside(
        tree(["1", "0", "/"], ["2", "1", "/w"], ["3", "2", "/w/a"], ["4", "2", "/w/b/c"], ["5", "1", "/wa"]),
        "/w"
      ),
      ["/w/a", "/w/b/c"]
    ))

  it("are all others below the root", () =>
    assert.deepStrictEqual(Mounts.inside(tree(["1", "0", "/"], ["2", "1", "/w"], ["3", "2", "/w/a"]), "/"), [
      "/w",
      "/w/a"
    ]))
})

describe("Mounts.isNetwork", () => {
  const cases: ReadonlyArray<readonly [is: boolean, types: ReadonlyArray<string>]> = [
    [true, ["nfs", "nfs4", "cifs", "smb3", "9p", "ceph", "lustre", "virtiofs", "vboxsf", "fuse"]],
    [true, ["fuse.sshfs", "fuse.rclone", "fuse.", "fuse.anything"]],
    [false, ["ext4", "btrfs", "xfs", "zfs", "tmpfs", "overlay", "fuseblk", "notfuse.sshfs", ""]],
    [false, ["fuse.mergerfs", "fuse.gocryptfs", "fuse.fuse-overlayfs", "fuse.bindfs", "fuse.ntfs-3g"]]
  ]
  for (const [is, types] of cases) {
    it(`${is ? "is" : "is not"}: ${types.join(", ")}`, () =>
      assert.deepStrictEqual(
        types.filter((type) => Mounts.isNetwork(type) !== is),
        []
      ))
  }
})
