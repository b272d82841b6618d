import { assert, describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import * as Isolated from "../examples/Isolated.ts"
import * as FakeMac from "../machine/FakeMac.ts"
import * as Mac from "./Mac.ts"

const spike = '"../app-worktrees/My Spike"'

/** What a person types on a calm Mac, in this order: what one changes the next one finds. */
const calm: ReadonlyArray<string> = [
  "session-liveness doctor",
  "session-liveness sweep",
  "session-liveness explain ../app-worktrees/fix-login",
  "session-liveness explain '../app-worktrees/docs für alle'",
  `session-liveness check ${spike} .claude/worktrees/search`,
  "session-liveness sessions",
  "session-liveness sweep --apply --yes",
  "session-liveness list",
  `session-liveness restore ${spike}`,
  `session-liveness explain ${spike}`,
  "session-liveness expire",
  "session-liveness sweep"
]

const withHeld = (pid: string, line: string) => (printed: Mac.Printed) => ({
  held: { ...printed.held, [pid]: [...(printed.held[pid] ?? []), line] }
})

/** Macs that are not calm, and what a person types there. */
const others: ReadonlyArray<
  readonly [
    name: string,
    change: (calm: Mac.Printed, mac: Mac.Mac) => Partial<Mac.Printed>,
    lines: ReadonlyArray<string>
  ]
> = [
  [
    "a sandbox hides a process",
    ({ ps }) => ({ ps: `${ps}${FakeMac.psOf([{ pid: 990, parent: 1, user: Mac.user, name: "Hidden", args: "/H" }])}` }),
    ["session-liveness sweep", "session-liveness doctor"]
  ],
  [
    "a server of tmux was started under another socket directory",
    (printed) => ({
      ps: `${printed.ps}${FakeMac.psOf([{ pid: 990, parent: 1, user: Mac.user, name: "tmux", args: "tmux new -d" }])}`,
      held: { ...printed.held, 990: [FakeMac.file("3u", "unix", "/private/tmp/other/default", ["D0xabc"])] }
    }),
    ["session-liveness sessions", "session-liveness sweep", "session-liveness doctor"]
  ],
  [
    "a share is dead, so that mount waits for it",
    () => ({ mount: Mac.hangs }),
    ["session-liveness sweep", "session-liveness doctor"]
  ],
  ["a share is dead, so that lsof waits for it", () => ({ lsof: Mac.hangs }), ["session-liveness sweep"]],
  [
    "a shell stands in a directory that was removed",
    withHeld("850", FakeMac.file("cwd", "", "cwd: No such file or directory", [])),
    ["session-liveness check '../app-worktrees/fix-login'"]
  ],
  [
    "ps speaks Russian",
    ({ ps }) => ({
      ps: ps.replaceAll(/[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4}/g, "вт дек  1 09:15:00 2026")
    }),
    ["session-liveness sweep", "session-liveness doctor"]
  ],
  [
    "an editor has a file open by a name without a path",
    withHeld("802", FakeMac.file("30r", "REG", "/System/Volumes/Data (/dev/disk3s5)")),
    ["session-liveness check '../app-worktrees/fix-login'"]
  ]
]

describe.skipIf(!Isolated.allowed)("every command's screen on a Mac", () => {
  it.live(
    "reads as it does in mac-screens.txt",
    () =>
      Effect.gen(function* () {
        const shown: Array<string> = []
        const show = Effect.fnUntraced(function* (mac: Mac.Mac, line: string) {
          const { stdout, exitCode } = yield* Mac.screen(mac, line)
          shown.push(`$ ${line}\n${Mac.settled(mac, stdout)}\n(exit ${exitCode})\n`)
        })
        shown.push("── a calm Mac: six worktrees are finished, and Claude Code works in three\n")
        const mac = yield* Mac.make()
        for (const line of calm) yield* show(mac, line)
        for (const [name, change, lines] of others) {
          shown.push(`── ${name}\n`)
          const other = yield* Mac.make(change)
          for (const line of lines) yield* show(other, line)
        }
        yield* Effect.promise(() => expect(shown.join("\n")).toMatchFileSnapshot("mac-screens.txt"))
      }),
    400_000
  )
})

describe.skipIf(!Isolated.allowed)("a calm Mac", () => {
  it.live(
    "has all that is finished go, and nothing that somebody works in, without a flag",
    () =>
      Effect.gen(function* () {
        const mac = yield* Mac.make()
        const { stdout } = yield* Mac.screen(mac, "session-liveness sweep --json")
        const judged = stdout
          .trimEnd()
          .split(/\r?\n/)
          .flatMap((line) => (line.includes("{") ? [JSON.parse(line.slice(line.indexOf("{")))] : []))
        const going = judged.flatMap(({ path, verdict }) => (verdict === "Permit" ? [path] : []))
        assert.sameMembers(going, [...mac.finished], stdout)
        assert.lengthOf(
          judged.filter(({ verdict }) => verdict === "Refuse"),
          mac.live.length
        )
      }),
    120_000
  )
})

/** On a calm Mac each of them goes. */
describe.skipIf(!Isolated.allowed)("a finished worktree on a Mac, reached by another name", () => {
  it.live(
    "stays",
    () =>
      Effect.gen(function* () {
        const mac = yield* Mac.make((calm, { root, home, app, finished, live: [login = ""] }) => {
          const [folded = "", linked = "", firm = "", hard = "", decomposed = "", written = ""] = finished
          fs.symlinkSync("../Fix-Login/not/yet/there", `${login}/shared`)
          fs.symlinkSync(home, `${root}/private/home`)
          fs.linkSync(`${hard}/README.md`, `${home}/notes.md`)
          fs.chmodSync(`${app}/.git/worktrees/${path.basename(written).replace(" ", "-")}`, 0o775)
          const less = `less ${linked.replace(home, `${root}/private/home`)}/README.md`
          const held = [
            Mac.open("30r", firm, firm.replace(root, `${root}/System/Volumes/Data`)),
            Mac.open("31r", decomposed, decomposed.normalize("NFD")),
            Mac.open("32r", `${home}/notes.md`)
          ]
          return {
            ps: calm.ps.replace("/usr/bin/ssh-agent -l", less),
            held: { ...calm.held, 802: [...(calm.held[802] ?? []), ...held] },
            names: {
              [`${path.dirname(folded)}/Fix-Login`]: folded,
              [`${root}/System/Volumes/Data/Users`]: `${root}/Users`
            }
          }
        })
        const paths = mac.finished.map((at) => `'${at}'`).join(" ")
        const { stdout } = yield* Mac.screen(mac, `session-liveness check ${paths}`)
        const said = Mac.settled(mac, stdout).replaceAll(/\s+/g, " ")
        const reasons = [
          "fix-login: Git: a symbolic link of another worktree leads into it",
          "new-report: Occupied: ssh-agent (process 00) uses it: command line",
          "faster-tests: Occupied: Code Helper (process 00) uses it: open file",
          "agent-a1b2c3: Occupied: Code Helper (process 00) uses it: open file that has another name",
          "пробный поиск: Occupied: Code Helper (process 00) uses it: open file",
          // Only root can give a file to `staff`.
          ...(Mac.isRoot ? ["My Spike: Owner: its ownership sentinel cannot be read:"] : [])
        ]
        for (const reason of reasons) assert.include(said, reason)
      }),
    120_000
  )
})
