import { assert, describe, it } from "@effect/vitest"
import { Vantage } from "../../src/internal.ts"

/** Of user 1000's root on the host, which is a good vantage. */
const facts = (given: Partial<Vantage.Facts>): Vantage.Facts => ({
  platform: "linux",
  user: 1000,
  root: "/home/me/.trusty",
  rootOwner: 1000,
  pidNamespace: Vantage.hostPidNamespace,
  userNamespace: Vantage.hostUserNamespace,
  timeNamespace: Vantage.hostTimeNamespace,
  sessionsAreHere: false,
  fileSystem: "ext4",
  ...given
})

const inContainer = {
  pidNamespace: "pid:[4026532198]",
  userNamespace: "user:[4026532197]",
  timeNamespace: "time:[4026532196]"
}
const nameless = { user: Vantage.overflowUid, rootOwner: Vantage.overflowUid }

describe("Vantage.foreign, where sessions can be judged", () => {
  const cases: ReadonlyArray<readonly [name: string, given: Partial<Vantage.Facts>]> = [
    ["on the host, as the owner of the root", {}],
    ["as root, whose root it is", { user: 0, rootOwner: 0 }],
    ["on a kernel without user namespaces", { userNamespace: undefined }],
    ["on a kernel without time namespaces", { timeNamespace: undefined }],
    ["in a container where all sessions live", { ...inContainer, sessionsAreHere: true }],
    ["there, even if its namespace could not be told", { pidNamespace: undefined, sessionsAreHere: true }],
    [
      "on a system without namespaces",
      { platform: "darwin", pidNamespace: undefined, userNamespace: undefined, timeNamespace: undefined }
    ],
    ["on the host, as the user nobody, whose root it is", nameless],
    ["on a kernel without user namespaces, as nobody", { ...nameless, userNamespace: undefined }],
    ["on a file system that only sounds like FUSE", { fileSystem: "fuseblk" }]
  ]
  for (const [name, given] of cases) {
    it(name, () => assert.isUndefined(Vantage.foreign(facts(given))))
  }
})

describe("Vantage.foreign, where they cannot", () => {
  const cases: ReadonlyArray<readonly [name: string, given: Partial<Vantage.Facts>, says: string]> = [
    [
      "the root is not there",
      { rootOwner: undefined },
      'the root "/home/me/.trusty" is not there, or its owner is not known'
    ],
    ["there are no users", { user: undefined, rootOwner: undefined }, "its owner is not known"],
    ["it is another user's", { rootOwner: 1001 }, "belongs to user 1001, and this process runs as user 1000"],
    ["it is another user's, and root asks", { user: 0 }, "belongs to user 1000, and this process runs as user 0"],
    ["who asks is not known", { user: undefined }, "this process runs as user unknown"],
    [
      "owners have no name",
      { ...nameless, userNamespace: inContainer.userNamespace },
      "a user that has no name in this user namespace"
    ],
    [
      "owners have no name, where all sessions live",
      { ...nameless, ...inContainer, sessionsAreHere: true },
      "a user that has no name in this user namespace"
    ],
    [
      "the pid namespace is another",
      { pidNamespace: inContainer.pidNamespace },
      "not in the pid namespace of the host"
    ],
    ["the pid namespace could not be told", { pidNamespace: undefined }, "not in the pid namespace of the host"],
    ["the user namespace is another", { userNamespace: inContainer.userNamespace }, "in a user namespace of its own"],
    ["the time namespace is another", { timeNamespace: inContainer.timeNamespace }, "in a time namespace of its own"],
    [
      "the file system could not be told",
      { fileSystem: undefined },
      'the file system of the root "/home/me/.trusty" is not known'
    ],
    ["other hosts may run sessions", { fileSystem: "nfs4" }, "lies on a network file system (nfs4)"],
    [
      "another user may have written it",
      { exposed: "it belongs to user 1001" },
      "another user may have written what is there: it belongs to user 1001"
    ],
    ["the root has an odd name", { root: "/w\n", rootOwner: undefined }, 'the root "/w\\u{a}"'],
    ["the file system has an odd name", { fileSystem: "fuse.\n" }, "(fuse.\\u{a})"]
  ]
  for (const [name, given, says] of cases) {
    it(`says that ${name}`, () => assert.include(Vantage.foreign(facts(given)), says))
  }
})
