/**
 * The mounted file systems, as `/proc/self/mountinfo` lists them.
 */

/**
 * One mount: where, and which directory of what kind of file system.
 */
export interface Mount {
  readonly id: string
  /** The mount that it is mounted on; not listed for the topmost that can be seen. */
  readonly parent: string
  /** The file system, by the numbers of its device. */
  readonly device: string
  /** The directory of the file system that is mounted. */
  readonly root: string
  readonly point: string
  readonly type: string
  readonly options: ReadonlyArray<string>
}

/**
 * Reads `/proc/self/mountinfo`, or gives `undefined` when any line of it has another shape.
 */
export const parse = (text: string): ReadonlyArray<Mount> | undefined => {
  const mounts: Array<Mount> = []
  for (const line of text.split("\n")) {
    if (line === "") continue
    const [before, after] = line.split(" - ", 2)
    const [id, parent, device, root, point] = before?.split(" ") ?? []
    const [type, , options] = after?.split(" ") ?? []
    if (id === undefined || parent === undefined || device === undefined) return undefined
    if (root === undefined || point === undefined || type === undefined || options === undefined) return undefined
    mounts.push({
      id,
      parent,
      device,
      root: unescapeOctal(root),
      point: unescapeOctal(point),
      type,
      options: options.split(",")
    })
  }
  return mounts
}

/**
 * The mount that an absolute canonical path lies on, found from the top as the kernel finds it: a mount hides whatever
 * was mounted below its point before.
 */
export const of = (mounts: ReadonlyArray<Mount>, path: string): Mount | undefined => {
  const ids = new Set(mounts.map(({ id }) => id))
  const above = mounts.filter(({ point }) => isAtOrAbove(point, path))
  let here: Mount | undefined
  let next = nearest(above.filter(({ id, parent }) => id === parent || !ids.has(parent)))
  while (next !== undefined) {
    here = next
    next = nearest(above.filter(({ id, parent }) => parent === here?.id && id !== parent))
  }
  return here
}

const nearest = (mounts: ReadonlyArray<Mount>): Mount | undefined =>
  mounts.reduce<Mount | undefined>(
    (best, mount) => (best === undefined || mount.point.length <= best.point.length ? mount : best),
    undefined
  )

/**
 * Every path among `ours` of what lies at `path` among `theirs`: a directory of a file system can be mounted in many
 * places, and from one of them the directories above it cannot be seen.
 */
export const pathsOf = (
  ours: ReadonlyArray<Mount>,
  theirs: ReadonlyArray<Mount>,
  path: string
): ReadonlyArray<string> => {
  const mount = of(theirs, path)
  if (mount === undefined) return []
  return at(ours, mount.device, join(mount.root, below(mount.point, path)))
}

/** Every path among `mounts` of a file or directory of a file system. */
const at = (mounts: ReadonlyArray<Mount>, device: string, within: string): ReadonlyArray<string> =>
  mounts.flatMap((mount) =>
    mount.device === device && isAtOrAbove(mount.root, within) ? [join(mount.point, below(mount.root, within))] : []
  )

/**
 * What `theirs` mount that is no whole file system, such as what a container is given of a host, and the directories that
 * an overlay is made of: where they mount it, and every path among `ours` that it has.
 */
export const bound = (
  ours: ReadonlyArray<Mount>,
  theirs: ReadonlyArray<Mount>
): ReadonlyArray<{ readonly point: string; readonly path: string }> => {
  const byDevice = Map.groupBy(ours, ({ device }) => device)
  return theirs.flatMap((mount) => {
    const { device, root, point } = mount
    const paths = [
      ...(root === "/" ? [] : at(byDevice.get(device) ?? [], device, root)),
      // Spelled as whoever mounted it saw them, who need not be in either namespace.
      ...layersOf(mount).flatMap((layer) => [layer, ...pathsOf(ours, theirs, layer)])
    ]
    return [...new Set(paths)].map((path) => ({ point, path }))
  })
}

/** The directories that an overlay lies over and writes to, each absolute one. */
const layersOf = ({ type, options }: Mount): ReadonlyArray<string> =>
  type !== "overlay"
    ? []
    : options
        .flatMap((option) => /^(?:lowerdir\+?|datadir\+?|upperdir|workdir)=([^]*)$/.exec(option)?.[1] ?? [])
        .flatMap((value) => unescapeOctal(value).split(/(?<!\\):+/))
        .map((layer) => layer.replaceAll(/\\([^])/g, "$1"))
        .filter((layer) => layer.startsWith("/"))

/** The rest of the path, which begins with a slash unless nothing is left of it. */
const below = (above: string, path: string): string => path.slice(bare(above).length).replace(/^\/$/, "")

const join = (above: string, path: string): string => `${bare(above)}${path}` || "/"

const bare = (directory: string): string => (directory === "/" ? "" : directory)

/**
 * Whether `/proc` shows a user only that user's own processes.
 */
export const hidesProcesses = (mounts: ReadonlyArray<Mount>): boolean =>
  mounts.some(
    ({ point, type, options }) =>
      point === "/proc" &&
      type === "proc" &&
      options.some((option) => option.startsWith("hidepid=") && option !== "hidepid=0" && option !== "hidepid=off")
  )

/**
 * The mount points strictly inside an absolute canonical path.
 */
export const inside = (mounts: ReadonlyArray<Mount>, path: string): ReadonlyArray<string> =>
  mounts.map(({ point }) => point).filter((point) => point !== path && point.startsWith(`${bare(path)}/`))

/**
 * The mount points that show an absolute canonical path, or what lies inside of it, somewhere else.
 */
export const showing = (mounts: ReadonlyArray<Mount>, path: string): ReadonlyArray<string> => [
  ...new Set(
    bound(mounts, mounts)
      .filter((shown) => shown.path !== shown.point && isAtOrAbove(path, shown.path))
      .map(({ point }) => point)
  )
]

/**
 * Whether a file system of that type can be changed by another host, so that what is seen here is not all there is. A
 * FUSE file system may be anything; only those known to be local are.
 */
export const isNetwork = (type: string): boolean =>
  network.has(type) || type.startsWith(unfit) || (type.startsWith("fuse.") && !localFuse.has(type))

/** What the type of a file system begins with, where that is told by more than its name. */
export const unfit = "unfit "

const network: ReadonlySet<string> = new Set([
  "9p",
  "acfs",
  "afpfs",
  "afs",
  "beegfs",
  "ceph",
  "cifs",
  "coda",
  "fuse",
  "gfs2",
  "glusterfs",
  "gpfs",
  "lustre",
  "ncpfs",
  "nfs",
  "nfs4",
  "ocfs2",
  "orangefs",
  "panfs",
  "prl_fs",
  "pvfs2",
  "smb3",
  "smbfs",
  "vboxsf",
  "virtiofs",
  "vmhgfs",
  "webdav",
  "wekafs"
])

const localFuse: ReadonlySet<string> = new Set([
  "fuse.bindfs",
  "fuse.cryfs",
  "fuse.encfs",
  "fuse.fuse-overlayfs",
  "fuse.gocryptfs",
  "fuse.lxcfs",
  "fuse.mergerfs",
  "fuse.ntfs-3g",
  "fuse.snapfuse",
  "fuse.squashfuse"
])

const isAtOrAbove = (point: string, path: string): boolean =>
  point === "/" || path === point || path.startsWith(`${point}/`)

const unescapeOctal = (text: string): string =>
  text.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)))
