/**
 * Commands of this program that a person may paste where they are printed: started as this run was, and told what this run
 * was told, as far as they take it.
 */
import { Duration } from "effect"
import * as Ages from "./Ages.ts"
import type * as Asked from "./Asked.ts"
import type * as Judging from "./Judging.ts"
import * as Paths from "./Paths.ts"

/** What a command was told. */
export type Told = Partial<
  Judging.Flags &
    Asked.Asked & {
      readonly repositories: ReadonlyArray<string>
      readonly regenerable: ReadonlyArray<string>
      readonly keep: ReadonlyArray<string>
      readonly store: ReadonlyArray<string>
      readonly olderThan: Duration.Duration | undefined
    }
>

let told: Told = {}

/** Once in a run, before anything is printed. */
export const remember = (flags: Told): void => {
  told = flags
}

const names = {
  quietFor: "--quiet-for",
  settledFor: "--settled-for",
  base: "--base",
  keepBranches: "--keep-branch",
  regenerable: "--regenerable",
  keep: "--keep",
  store: "--store",
  olderThan: "--older-than",
  caller: "--caller",
  dismiss: "--dismiss",
  prefix: "--prefix",
  socket: "--socket",
  here: "--here",
  noManager: "--no-manager",
  root: "--root"
} satisfies Partial<Record<keyof Told, string>>

type Named = keyof typeof names

const judging: ReadonlyArray<Named> = ["caller", "dismiss", "prefix", "socket", "here", "noManager", "root"]
const asked: ReadonlyArray<Named> = ["quietFor", "settledFor", "base", "keepBranches"]

/** What each command takes of it: how it names repositories, if it does, and flags. */
const taken: Readonly<Record<string, { readonly repositories?: string; readonly flags: ReadonlyArray<Named> }>> = {
  sweep: { repositories: "", flags: [...asked, "regenerable", "keep", "store", ...judging] },
  explain: { flags: [...asked, ...judging] },
  expire: { repositories: "", flags: [...asked, "olderThan", ...judging] },
  list: { repositories: "", flags: ["olderThan"] },
  restore: { repositories: "--repo", flags: ["here"] },
  sessions: { flags: judging }
}

/** A command of this program, of words that are fit for a shell. */
export const command = (name: string, ...words: ReadonlyArray<string>): string => {
  const { repositories, flags } = taken[name] ?? { flags: [] }
  const where = repositories === undefined ? [] : option(repositories, told.repositories?.map(Paths.operand))
  return [Paths.program, name, ...words, ...where, ...flags.flatMap((flag) => option(names[flag], told[flag]))].join(
    " "
  )
}

type Value = boolean | string | Duration.Duration | ReadonlyArray<string> | undefined

const option = (name: string, value: Value): ReadonlyArray<string> => {
  const before = name === "" ? [] : [name]
  if (value === undefined || value === false) return []
  if (value === true) return before
  if (Duration.isDuration(value)) return [...before, Ages.print(value)]
  return (typeof value === "string" ? [value] : value).flatMap((one) => [...before, Paths.quote(one)])
}

/** What the library advises, in a sentence: what acts is never to be run by somebody who only wants to see. */
export const text = (advice: string): string => `${shows.test(advice) ? "see" : "run"}: ${pasted(advice)}`

/** What is said of it behind a reason. */
export const after = (advice: string | undefined): string => (advice === undefined ? "" : `; ${text(advice)}`)

/** Whether it only leads to all that is known. */
export const isExplain = (advice: string): boolean => advice.startsWith("session-liveness explain ")

const shows =
  /^(?:session-liveness (?:explain|sessions)\b|git -C (?:'[^']*'|\\'|[^\s'])+ (?:status|rev-parse|submodule status|worktree list)\b)/

/** What the library advises: a command of this program, or another as it is. */
export const pasted = (advice: string): string => {
  const [, name, rest = ""] = /^session-liveness (\w+)(.*)$/s.exec(advice) ?? []
  return name === undefined ? advice : command(name, ...(rest === "" ? [] : [rest.trimStart()]))
}
