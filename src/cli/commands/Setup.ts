/**
 * Adds the hooks and the status line to Claude Code's settings, and takes them out again.
 */
import { Effect, Option, Result, TextDiff } from "effect"
import { Command, Flag } from "effect/cli"
import { spawnSync } from "node:child_process"
import * as path from "node:path"
import packageJson from "../../../package.json" with { type: "json" }
import * as Advice from "../Advice.ts"
import * as Ask from "../Ask.ts"
import * as ExitCode from "../ExitCode.ts"
import * as Help from "../Help.ts"
import * as Judging from "../Judging.ts"
import * as Paths from "../Paths.ts"
import * as Screen from "../Screen.ts"
import * as Settings from "../Settings.ts"
import * as SettingsFile from "../SettingsFile.ts"
import * as SettingsUndo from "../SettingsUndo.ts"

const settings = Flag.String("settings").pipe(
  Flag.optional,
  Flag.map(Option.getOrUndefined),
  Flag.withMetavar("FILE"),
  Flag.withDescription("the settings to change (default: settings.json in $CLAUDE_CONFIG_DIR, else in ~/.claude)")
)

export const setup = Command.make(
  "setup",
  {
    settings,
    remove: Judging.toggle("remove", "take it out again"),
    sessionNames: Judging.toggle(
      "session-names",
      "where no manager keeps records, take the name of a tmux session as its managed id"
    ),
    yes: Judging.toggle("yes", "do not ask"),
    json: Judging.json,
    root: Judging.root
  },
  ({ settings, remove, sessionNames, yes, json, root }) =>
    ExitCode.end(
      Effect.gen(function* () {
        const file = settings === undefined ? SettingsFile.usual() : Paths.absolute(settings)
        const here = path.dirname(SettingsFile.real(process.argv[1] ?? ""))
        if (!remove && here.includes("/_npx/")) {
          return refuse(
            `npx forgets where this runs from (${here}); install it first: npm install --global session-liveness`
          )
        }
        const read = SettingsFile.read(file)
        if (Result.isFailure(read)) return refuse(`${file} is left as it is: ${read.failure}`)
        const { text, settings: before } = read.success
        const told = flagsOf(root, sessionNames)
        const earlier = told.hook === "" ? Settings.chosen(before) : told
        const isNamed = !remove && earlier === undefined && (yield* chooseNames(root, yes || json))
        const flags = earlier ?? flagsOf(root, isNamed)
        // Of a root that an earlier setup was told, it was said then.
        const isLinking = sessionNames || isNamed || (earlier !== told && flags.hook !== "") || Judging.hasStore(root)
        const after = remove ? removed(file, read.success) : Settings.printAdded(read.success, wanted(here, flags))
        const isSame = after === text
        if (!json) show(file, text, after ?? "", isSame, remove)
        if (!json && !remove) hint(before, here, flags, isLinking)
        const isMeant =
          isSame ||
          (yes || (Screen.canAsk && !json)
            ? yield* Ask.isMeant(`${after === undefined ? "Remove" : "Change"} ${Paths.shown(file)}?`, yes)
            : false)
        if (isSame || !isMeant) {
          if (json) Screen.out(Screen.json({ settings: file, changed: false, wouldChange: !isSame, copy: null }))
          else if (!isSame && !Screen.canAsk) Screen.out("Nothing was changed; --yes changes it.")
          return isSame ? ExitCode.done : ExitCode.wouldChange
        }
        const saved = SettingsFile.write(file, text, after)
        if (Result.isFailure(saved)) return refuse(`${file} could not be changed: ${saved.failure}`)
        const copy = saved.success
        if (json) Screen.out(Screen.json({ settings: file, changed: true, wouldChange: false, copy: copy ?? null }))
        else {
          Screen.out(
            `${Paths.shown(file)} was ${done(after, copy)}.${copy === undefined ? "" : ` What it was is kept as ${Paths.shown(copy)}.`}`
          )
          if (!remove && isLinking) Screen.out("Sessions that start from now on are linked.")
        }
        return ExitCode.done
      })
    )
).pipe(
  Help.says({
    line: "adds hooks and status line to Claude Code's settings",
    also: "--remove",
    more: "It shows the change, asks, and keeps a copy: a hook for SessionStart, UserPromptSubmit and SubagentStop, and a status line where there is none. What an earlier setup was told stays, unless --session-names or --root says otherwise. --remove gives back what was there before, with whatever others changed since. Exits with 10 where it would change something and was not told to.",
    examples: [
      ["show the change, then ask", "setup"],
      ["show how it would be taken out, then ask", "setup --remove"]
    ]
  })
)

/** The text as it was before, or none where there was no file. */
const removed = (file: string, now: Settings.Written): string | undefined =>
  Settings.hasOurs(now.settings) ? SettingsUndo.before(now, SettingsFile.copies(file)) : now.text

const done = (after: string | undefined, copy: string | undefined): string =>
  after === undefined ? "removed, because there was none before" : copy === undefined ? "made" : "changed"

const refuse = (why: string): number => {
  Judging.say(why)
  return ExitCode.refused
}

/** Asked only where no manager keeps records, because its records say which session is which. */
const chooseNames = Effect.fnUntraced(function* (root: string | undefined, asksNobody: boolean) {
  if (asksNobody || !Screen.canAsk || Judging.hasStore(root)) return false
  return yield* Ask.isYes(
    "No manager keeps records here. Take the name of a tmux session as its managed id, so that its restarts are linked?"
  )
})

/**
 * The `node` of the search path where it is new enough for them, else the one that runs this. What npm puts on the path
 * while it runs something is not there later.
 */
const node = (): string => {
  const lasting = (process.env["PATH"] ?? "")
    .split(path.delimiter)
    .filter((each) => !each.endsWith("node_modules/.bin"))
  const env = { ...process.env, PATH: lasting.join(path.delimiter) }
  const { stdout } = spawnSync("node", ["--version"], { env, encoding: "utf8", timeout: 5000 })
  const [found, least] = [stdout ?? "", packageJson.engines.node].map((text) => /(\d+)\.(\d+)/.exec(text) ?? [])
  const [major, minor] = [1, 2].map((part) => Number(found?.[part] ?? 0) - Number(least?.[part] ?? 0))
  return (major ?? 0) > 0 || (major === 0 && (minor ?? 0) >= 0) ? "node" : process.execPath
}

const command = (here: string, name: string, flags: string): string =>
  [node(), path.join(here, `${name}.js`)].map(Paths.quote).join(" ") + (flags === "" ? "" : ` ${flags}`)

/** What follows the programs. */
const flagsOf = (root: string | undefined, sessionNames: boolean): Settings.Wanted => {
  const statusLine = root === undefined ? "" : `--root ${Paths.quote(Paths.absolute(root))}`
  return { hook: [...(sessionNames ? ["--session-names"] : []), statusLine].join(" ").trim(), statusLine }
}

const statusLineOf = (here: string, { statusLine }: Settings.Wanted): string =>
  command(here, "session-liveness-status-line", statusLine)

const wanted = (here: string, flags: Settings.Wanted): Settings.Wanted => ({
  hook: command(here, "session-liveness-hook", flags.hook),
  statusLine: statusLineOf(here, flags)
})

/** What a person should know of what was chosen. */
const hint = (before: Settings.Settings, here: string, flags: Settings.Wanted, isLinking: boolean): void => {
  if (Settings.hasOtherStatusLine(before)) {
    Screen.out(
      `Your status line stays as it is. To show in it what was saved, run this from it:\n  ${statusLineOf(here, flags)}\n`
    )
  }
  if (!isLinking) {
    Screen.out(
      `No manager keeps records here, so that no session is linked. To link each by the name of its tmux session:\n  ${Advice.command("setup", "--session-names")}\n`
    )
  }
}

const show = (file: string, before: string, after: string, isSame: boolean, remove: boolean): void => {
  if (isSame) {
    Screen.out(
      `${Paths.shown(file)} ${remove ? "has nothing of session-liveness in it" : "has everything in it already"}.`
    )
    return
  }
  Screen.out(`${Screen.bold(Paths.shown(file))}\n`)
  const [old = "", fresh = ""] = [before, after].map((text) => text.replaceAll(/^\uFEFF|\r(?=\n)/g, ""))
  for (const line of TextDiff.unified(TextDiff.lines(old, fresh))
    .split("\n")
    .filter((line) => !/^(---|\+\+\+) /.test(line))) {
    const style = line.startsWith("+") ? Screen.green : line.startsWith("-") ? Screen.red : (text: string) => text
    Screen.out(style(Screen.printable(line)))
  }
}
