/**
 * Whether sessions can be judged from where this process stands.
 */
import * as Mounts from "./Mounts.ts"
import * as Text from "../../shared/core/Text.ts"

/** Linux gives the host's pid namespace this inode, in every kernel. */
export const hostPidNamespace = "pid:[4026531836]"

/** And the user namespace of the host this one. */
export const hostUserNamespace = "user:[4026531837]"

/** And the time namespace of the host this one. */
export const hostTimeNamespace = "time:[4026531834]"

/** In a user namespace of its own, Linux shows every user that has no name there as this one. */
export const overflowUid = 65534

/** Whether a namespace is another than the host's. A kernel without such namespaces has none. */
export const isOwn = (namespace: string | undefined, host: string): boolean =>
  namespace !== undefined && namespace !== host

/**
 * What is known of this process and of the root. `undefined`: it could not be told, which is no good vantage.
 */
export interface Facts {
  readonly platform: string
  /** The effective user. */
  readonly user: number | undefined
  readonly root: string
  readonly rootOwner: number | undefined
  /** Whether there is no such root and nobody named it: then it holds nothing that could be another's. */
  readonly needless?: boolean | undefined
  /** Where `/proc/self/ns/pid` points. Linux alone has it. */
  readonly pidNamespace: string | undefined
  /** Where `/proc/self/ns/user` points, where there is such a thing. */
  readonly userNamespace?: string | undefined
  /** The same of `/proc/self/ns/time`. */
  readonly timeNamespace?: string | undefined
  /** Whether a person said that the sessions all live in this container. */
  readonly sessionsAreHere: boolean
  /** The type of the file system that the root lies on. */
  readonly fileSystem: string | undefined
  /** What under the root another user may have written, and why. */
  readonly exposed?: string | undefined
}

/**
 * Why sessions cannot be judged from here, or `undefined` when they can.
 */
export const foreign = (facts: Facts): string | undefined =>
  facts.needless === true
    ? namespaceRefusal(facts)
    : (ownerRefusal(facts) ?? namespaceRefusal(facts) ?? placeRefusal(facts))

const ownerRefusal = ({ root, user, rootOwner, userNamespace }: Facts): string | undefined => {
  if (rootOwner === undefined) return `${named(root)} is not there, or its owner is not known`
  if (user !== rootOwner) {
    return `${named(root)} belongs to user ${rootOwner}, and this process runs as user ${user ?? "unknown"}`
  }
  return isOwn(userNamespace, hostUserNamespace) && rootOwner === overflowUid
    ? `${named(root)} belongs to a user that has no name in this user namespace, so that owners cannot be told apart; map the user into it, or ask from outside it`
    : undefined
}

/**
 * Why the namespaces that this process is in hide what happens outside.
 */
export const namespaceRefusal = ({
  platform,
  sessionsAreHere,
  pidNamespace,
  userNamespace,
  timeNamespace
}: Pick<Facts, "platform" | "sessionsAreHere" | "pidNamespace" | "userNamespace" | "timeNamespace">):
  | string
  | undefined => {
  if (sessionsAreHere) return undefined
  if (platform === "linux" && pidNamespace !== hostPidNamespace) {
    return 'this process is not in the pid namespace of the host, so that sessions outside cannot be seen; if they all live in here, say so: --here, or the option vantage: "here"'
  }
  if (isOwn(userNamespace, hostUserNamespace)) {
    return 'this process is in a user namespace of its own, which hides what the processes outside use and whom files belong to; ask from outside it, or, if all sessions live in here, say so: --here, or the option vantage: "here"'
  }
  return isOwn(timeNamespace, hostTimeNamespace)
    ? 'this process is in a time namespace of its own, where every process seems to have started at another time than outside; ask from outside it, or, if all sessions live in here, say so: --here, or the option vantage: "here"'
    : undefined
}

const placeRefusal = ({ root, fileSystem, exposed }: Facts): string | undefined => {
  if (fileSystem === undefined) return `the file system of ${named(root)} is not known`
  if (Mounts.isNetwork(fileSystem)) {
    return `${named(root)} lies on a network file system (${Text.escape(fileSystem)}), where other hosts may run its sessions`
  }
  return exposed === undefined ? undefined : `another user may have written what is there: ${exposed}`
}

const named = (root: string): string => `the root "${Text.escape(root)}"`
