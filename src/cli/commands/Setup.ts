/**
 * Adds the hooks and the status line to Claude Code's settings, and takes them out again.
 */
import { Effect, Option, Result, TextDiff } from "effect"
import { Command, Flag } from "effect/cli"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { Root } from "../../internal.ts"
import { defaultRoot } from "../../node/index.ts"
import * as Ask from "../Ask.ts"
import * as ExitCode from "../ExitCode.ts"
import * as Judging from "../Judging.ts"
import * as Paths from "../Paths.ts"
import * as Screen from "../Screen.ts"
import * as Settings from "../Settings.ts"

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
        const file = settings === undefined ? defaultFile() : Paths.absolute(settings)
        const here = path.dirname(real(process.argv[1] ?? ""))
        if (!remove && here.includes("/_npx/")) {
          return refuse(
            `npx forgets where this runs from (${here}); install it first: npm install --global session-liveness`
          )
        }
        const read = readSettings(file)
        if (Result.isFailure(read)) return refuse(`${file} is left as it is: ${read.failure}`)
        const { text, settings: before } = read.success
        const isChosen = sessionNames || (!remove && before !== undefined && (yield* chooseNames(root, yes, json)))
        const after = remove ? Settings.remove(before) : Settings.add(before, wanted(here, root, isChosen))
        const printed = Settings.print(after, text)
        const isSame = JSON.stringify(after) === JSON.stringify(before)
        if (!json) show(file, text, printed, isSame, remove)
        if (!json && !remove && Settings.hasOtherStatusLine(before)) {
          Screen.out(
            `Your status line stays as it is. To show in it what was saved, run this from it:\n  ${statusLineOf(here, root)}\n`
          )
        }
        const isMeant =
          isSame ||
          (yes || (Screen.canAsk && !json) ? yield* Ask.isMeant(`Change ${Paths.shown(file)}?`, isSame || yes) : false)
        if (isSame || !isMeant) {
          if (json) Screen.out(Screen.json({ settings: file, changed: false, wouldChange: !isSame, copy: null }))
          else if (!isSame && !Screen.canAsk) Screen.out("Nothing was changed; --yes changes it.")
          return isSame ? ExitCode.done : ExitCode.wouldChange
        }
        const written = write(file, text, printed)
        if (Result.isFailure(written)) return refuse(`${file} could not be changed: ${written.failure}`)
        const copy = written.success
        if (json) Screen.out(Screen.json({ settings: file, changed: true, wouldChange: false, copy: copy ?? null }))
        else {
          Screen.out(
            `${Paths.shown(file)} was changed.${copy === undefined ? "" : ` What it was is kept as ${Paths.shown(copy)}.`}`
          )
          if (!remove) Screen.out("Sessions that start from now on are linked.")
        }
        return ExitCode.done
      })
    )
).pipe(
  Command.withDescription(
    "Shows what it would add to Claude Code's settings, asks, and keeps a copy: a hook for SessionStart, UserPromptSubmit and SubagentStop, and a status line where there is none. --remove takes it out again. Every other setting stays as it is."
  ),
  Command.withShortDescription("adds the hooks and the status line to Claude Code's settings; --remove takes them out")
)

const refuse = (why: string): number => {
  Judging.say(why)
  return ExitCode.refused
}

const defaultFile = (): string =>
  path.join(process.env["CLAUDE_CONFIG_DIR"] || path.join(os.homedir(), ".claude"), "settings.json")

const real = (file: string): string => {
  try {
    return fs.realpathSync(file)
  } catch {
    return file
  }
}

const readSettings = (
  file: string
): Result.Result<{ readonly text: string; readonly settings: Settings.Settings }, string> => {
  try {
    const text = fs.readFileSync(file, "utf8")
    return Result.map(Settings.parse(text), (settings) => ({ text, settings }))
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      return Result.succeed({ text: "", settings: {} })
    }
    return Result.fail(Screen.reasonOf(error))
  }
}

/** Asked only where no manager keeps records, because its records say which session is which. */
const chooseNames = Effect.fnUntraced(function* (root: string | undefined, yes: boolean, json: boolean) {
  if (yes || json || !Screen.canAsk || fs.existsSync(Root.store(defaultRoot(root)))) return false
  return yield* Ask.isYes(
    "No manager keeps records here. Take the name of a tmux session as its managed id, so that its restarts are linked?"
  )
})

const command = (here: string, name: string, flags: ReadonlyArray<string>): string =>
  ["node", path.join(here, `${name}.js`), ...flags].map(Paths.quote).join(" ")

const rootFlags = (root: string | undefined): ReadonlyArray<string> =>
  root === undefined ? [] : ["--root", Paths.absolute(root)]

const statusLineOf = (here: string, root: string | undefined): string =>
  command(here, "session-liveness-status-line", rootFlags(root))

const wanted = (here: string, root: string | undefined, sessionNames: boolean): Settings.Wanted => ({
  hook: command(here, "session-liveness-hook", [...(sessionNames ? ["--session-names"] : []), ...rootFlags(root)]),
  statusLine: statusLineOf(here, root)
})

const show = (file: string, before: string, after: string, isSame: boolean, remove: boolean): void => {
  if (isSame) {
    Screen.out(
      `${Paths.shown(file)} ${remove ? "has nothing of session-liveness in it" : "has everything in it already"}.`
    )
    return
  }
  Screen.out(`${Screen.bold(Paths.shown(file))}\n`)
  for (const line of TextDiff.unified(TextDiff.lines(before, after))
    .split("\n")
    .filter((line) => !/^(---|\+\+\+) /.test(line))) {
    const style = line.startsWith("+") ? Screen.green : line.startsWith("-") ? Screen.red : (text: string) => text
    Screen.out(style(Screen.printable(line)))
  }
}

/** Written whole or not at all, through a link, and only over what was read. Gives the copy of what was there. */
const write = (file: string, before: string, after: string): Result.Result<string | undefined, string> => {
  const target = real(file)
  const fresh = `${target}.${process.pid}.new`
  try {
    fs.mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 })
    const isThere = fs.existsSync(target)
    if ((isThere ? fs.readFileSync(target, "utf8") : "") !== before)
      return Result.fail("it has changed meanwhile; try again")
    const stamp = new Date().toISOString().replaceAll(/[-:.]/g, "")
    const copy = isThere ? `${target}.before-session-liveness-${stamp}` : undefined
    if (copy !== undefined) fs.copyFileSync(target, copy, fs.constants.COPYFILE_EXCL)
    fs.writeFileSync(fresh, after, { flag: "wx", mode: isThere ? fs.statSync(target).mode & 0o777 : 0o600 })
    fs.renameSync(fresh, target)
    return Result.succeed(copy)
  } catch (error) {
    fs.rmSync(fresh, { force: true })
    return Result.fail(Screen.reasonOf(error))
  }
}
