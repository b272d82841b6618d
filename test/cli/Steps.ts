/**
 * What a step of a change says that meets something in its way, on real files under `/r`, and what the guard says.
 */
import { NodeServices } from "@effect/platform-node"
import { Effect, FileSystem, Layer, type Scope } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { Git, GitChanges, type ReclaimStep } from "../../src/internal.ts"
import * as CarryOut from "../../src/reclaim/steps/CarryOut.ts"
import * as World from "../examples/World.ts"
import { tempRoot } from "../TempRoot.ts"
import type { Texts } from "./Said.ts"

type Step = ReclaimStep.ReclaimStep

/** One step, what stands in its way below `/r`, and what git answers; `null`: git fails. */
interface Trouble {
  readonly step: (r: string) => Step
  readonly there?: Readonly<Record<string, string>>
  readonly links?: Readonly<Record<string, string>>
  readonly git?: (args: ReadonlyArray<string>) => string | null
}

const admin = (r: string) => `${r}/.git/worktrees/a`
const head = "1".repeat(40)
const failing = () => null

const troubles = {
  AcquireLock: {
    "kept already": {
      step: (r) => ({ _tag: "AcquireLock", name: "T-a", adminDirectory: admin(r), reason: "ours", prior: undefined }),
      git: () => "refs/reclaimed/T-a/HEAD"
    },
    "locked meanwhile": {
      step: (r) => ({ _tag: "AcquireLock", name: "T-a", adminDirectory: admin(r), reason: "ours", prior: undefined }),
      there: { ".git/worktrees/a/locked": "theirs" }
    },
    "another lock than the one seen": {
      step: (r) => ({ _tag: "AcquireLock", name: "T-a", adminDirectory: admin(r), reason: "ours", prior: "seen" }),
      there: { ".git/worktrees/a/locked": "theirs" }
    }
  },
  KeepCommits: {
    reftable: {
      step: (r) => ({ _tag: "KeepCommits", name: "T-a", adminDirectory: admin(r) }),
      there: { ".git/worktrees/a/reftable/x": "" }
    },
    "a broken ORIG_HEAD": {
      step: (r) => ({ _tag: "KeepCommits", name: "T-a", adminDirectory: admin(r) }),
      links: { ".git/worktrees/a/ORIG_HEAD": "elsewhere" }
    }
  },
  ForgetCommits: { "git fails": { step: () => ({ _tag: "ForgetCommits", name: "T-a" }), git: failing } },
  ReleaseLock: {
    "another's lock": {
      step: (r) => ({ _tag: "ReleaseLock", adminDirectory: admin(r), reason: "ours", prior: undefined }),
      there: { ".git/worktrees/a/locked": "theirs" }
    }
  },
  Detach: { "git fails": { step: (r) => ({ _tag: "Detach", adminDirectory: admin(r), head }), git: failing } },
  Attach: {
    "the branch has moved on": {
      step: (r) => ({ _tag: "Attach", adminDirectory: admin(r), worktree: `${r}/a`, branch: "refs/heads/a", head }),
      git: ([, command]) => (command === "rev-parse" ? head : "")
    },
    "the branch is checked out": {
      step: (r) => ({ _tag: "Attach", adminDirectory: admin(r), worktree: `${r}/a`, branch: "refs/heads/a", head }),
      git: ([, command]) =>
        command === "rev-parse"
          ? head
          : command === "worktree"
            ? `worktree /r\0HEAD ${head}\0branch refs/heads/main\0\0worktree /w/b\0HEAD ${head}\0branch refs/heads/a\0\0`
            : `${head} refs/heads/a`
    }
  },
  Move: {
    "something stands there": {
      step: (r) => ({ _tag: "Move", from: `${r}/a`, to: `${r}/b` }),
      there: { "a/x": "", "b/x": "" }
    },
    "nothing stands there": { step: (r) => ({ _tag: "Move", from: `${r}/a`, to: `${r}/b` }) },
    "git fails": {
      step: (r) => ({ _tag: "Move", from: `${r}/a`, to: `${r}/b` }),
      there: { "a/x": "" },
      git: failing
    },
    "it is not there afterwards": {
      step: (r) => ({ _tag: "Move", from: `${r}/a`, to: `${r}/b` }),
      there: { "a/.git": "gitdir: ../.git/worktrees/a\n" }
    },
    "somebody makes that directory": {
      step: (r) => ({ _tag: "Move", from: `${r}/a`, to: `${r}/b` }),
      there: { "a/.git": "gitdir: ../.git/worktrees/a\n" },
      git: (args) => {
        const [from = "", to = ""] = args.slice(-2)
        fs.mkdirSync(to, { recursive: true })
        fs.renameSync(from, path.join(to, path.basename(from)))
        return ""
      }
    }
  },
  RepairLinks: {
    "no worktree": {
      step: (r) => ({ _tag: "RepairLinks", adminDirectory: admin(r), worktree: `${r}/a` }),
      there: { a: "a file" }
    }
  },
  RemoveLeftovers: {
    "it holds something": {
      step: (r) => ({ _tag: "RemoveLeftovers", worktree: `${r}/a`, paths: ["x"] }),
      there: { "a/x": "something" }
    }
  },
  MoveSentinel: {
    "no admin directory": {
      step: (r) => ({ _tag: "MoveSentinel", worktree: `${r}/a`, adminDirectory: `${r}/nowhere` }),
      there: { "a/.trusty-mpm-worktree": "{}" }
    }
  },
  SuspendLock: { "not locked": { step: (r) => ({ _tag: "SuspendLock", adminDirectory: admin(r), reason: "ours" }) } },
  ResumeLock: {
    "git fails": {
      step: (r) => ({ _tag: "ResumeLock", adminDirectory: admin(r), worktree: `${r}/a` }),
      there: { ".git/worktrees/a/locked-until-removal": "", "a/.git": "" },
      git: failing
    }
  },
  MoveOut: {
    "a file in our place": { step: () => ({ _tag: "MoveOut", entry }), there: { ".git/reclaimed": "" } }
  },
  MoveBack: {
    "a file in our place": { step: () => ({ _tag: "MoveBack", entry }), there: { ".git/reclaimed": "" } }
  },
  RemoveMoved: {
    "a file in our place": { step: () => ({ _tag: "RemoveMoved", entry }), there: { ".git/reclaimed": "" } }
  },
  Remove: {
    "git prints no list": { step: (r) => ({ _tag: "Remove", path: `${r}/a` }), git: () => "what?" },
    "git fails": { step: (r) => ({ _tag: "Remove", path: `${r}/a` }), git: failing }
  }
} satisfies Record<Step["_tag"], Readonly<Record<string, Trouble>>>

const entry = { name: "1-1", worktree: "/w/a", state: "Moving" as const, directories: [] }

const named = (text: string, r: string): string => text.replaceAll(r, "/r").replaceAll(/\.new-[A-Za-z0-9]+/g, ".new-…")

const carryOut = Effect.fnUntraced(function* (trouble: Trouble): Effect.fn.Return<string, never, Scope.Scope> {
  const { step, there = {}, links = {}, git = () => "" } = trouble
  const r = yield* tempRoot
  for (const [name, text] of Object.entries({ ".git/worktrees/a/HEAD": "ref: x\n".slice(4), ...there })) {
    fs.mkdirSync(path.dirname(path.join(r, name)), { recursive: true })
    fs.writeFileSync(path.join(r, name), text)
  }
  for (const [name, target] of Object.entries(links)) fs.symlinkSync(target, path.join(r, name))
  const run = (args: ReadonlyArray<string>): Effect.Effect<string, string> => {
    const answer = git(args)
    return answer === null
      ? Effect.fail(`git ${args.filter((arg) => !arg.startsWith("--git-dir")).join(" ")}: what git said`)
      : Effect.succeed(answer)
  }
  return yield* Effect.gen(function* () {
    const notes = yield* CarryOut.carryOut(
      {
        fs: yield* FileSystem.FileSystem,
        commonDirectory: `${r}/.git`,
        user: process.geteuid?.(),
        mountsIn: () => Effect.succeed([]),
        read: run,
        write: (args) => Effect.asVoid(run(args))
      },
      step(r)
    )
    return notes.length === 0 ? "(done, or nothing to do)" : `note: ${notes.join("; ")}`
  }).pipe(
    Effect.catch((why) => Effect.succeed(`refuses: ${why}`)),
    Effect.map((said) => named(said, r)),
    Effect.provide(NodeServices.layer)
  )
})

/** What each step says, in each trouble. */
export const steps: Effect.Effect<Texts, never, Scope.Scope> = Effect.gen(function* () {
  const said: Record<string, string> = {}
  for (const [tag, cases] of Object.entries<Readonly<Record<string, Trouble>>>(troubles)) {
    for (const [name, trouble] of Object.entries(cases)) said[`${tag}, ${name}`] = yield* carryOut(trouble)
  }
  return said
})

const options = { env: process.env, platform: process.platform }
const git = Layer.merge(Git.layer(options), GitChanges.layer(options)).pipe(Layer.provide(NodeServices.layer))

/** What the guard of a sweep says about what it finds. */
export const guard: Effect.Effect<Texts, never, Scope.Scope> = Effect.gen(function* () {
  const { main, root } = yield* World.repository
  const workshop = `${main}/.git/reclaimed`
  const say = Effect.fnUntraced(function* (there: Readonly<Record<string, string>>, abandoned: boolean) {
    fs.rmSync(workshop, { recursive: true, force: true })
    fs.mkdirSync(workshop)
    for (const [name, text] of Object.entries(there)) fs.writeFileSync(path.join(workshop, name), text)
    return yield* taken(abandoned)
  })
  const taken = (abandoned: boolean) =>
    Effect.gen(function* () {
      const service = yield* Git.Git
      const repository = yield* service.repository(main)
      yield* (yield* GitChanges.GitChanges).guard(repository, { pid: 1, start: null, pidNamespace: null }, () =>
        Effect.succeed(abandoned)
      )
      return "(taken)"
    }).pipe(
      Effect.scoped,
      Effect.catch(({ message }) => Effect.succeed(message.replaceAll(root, "/r"))),
      Effect.provide(git)
    )
  const host = fs.readFileSync("/etc/machine-id", "utf8").trim()
  const other = JSON.stringify({ host, pid: 4711, start: null, pidNamespace: null })
  return {
    free: yield* say({}, false),
    held: yield* say({ ".sweep": other }, false),
    abandoned: yield* say({ ".sweep": other }, true),
    "on another machine": yield* say({ ".sweep": other.replace(host, "another") }, true),
    elsewhere: yield* say({ ".sweep": other.replace('Namespace":null', 'Namespace":"pid:[1]"') }, true),
    "abandoned, and being taken over": yield* say({ ".sweep": other, ".sweep-takeover": other }, true),
    "no guard of ours": yield* say({ ".sweep": "hello" }, false),
    "a link elsewhere": yield* Effect.suspend(() => {
      fs.rmSync(workshop, { recursive: true })
      fs.mkdirSync(`${root}/elsewhere`)
      fs.symlinkSync(`${root}/elsewhere`, workshop)
      return taken(false)
    })
  }
})
