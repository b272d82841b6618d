/**
 * Claude Code's settings where they lie, and the copies that `setup` keeps beside them.
 */
import { Result } from "effect"
import { isUtf8 } from "node:buffer"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as Paths from "./Paths.ts"
import * as Screen from "./Screen.ts"
import * as Settings from "./Settings.ts"

export const usual = (): string =>
  path.join(process.env["CLAUDE_CONFIG_DIR"] || path.join(os.homedir(), ".claude"), "settings.json")

/** A path with its links resolved, as far as it can be. */
export const real = (file: string): string => {
  try {
    return fs.realpathSync(file)
  } catch {
    return file
  }
}

/** Where a file is or would be made, also behind a link that leads to nothing yet. */
const through = (file: string): string => {
  try {
    return real(path.resolve(path.dirname(file), fs.readlinkSync(file)))
  } catch {
    return real(file)
  }
}

/** The settings, or why they cannot be changed; a file that is not there says nothing. */
export const read = (file: string): Result.Result<Settings.Written, string> => {
  try {
    const bytes = Paths.isMissing(through(file)) ? Buffer.of() : fs.readFileSync(file)
    return isUtf8(bytes) ? Settings.parse(bytes.toString("utf8")) : Result.fail("it is not UTF-8")
  } catch (error) {
    return Result.fail(Screen.reasonOf(error))
  }
}

const mark = ".before-session-liveness-"

/** What `setup` changed before, the latest first. A copy that cannot be read says nothing. */
export const copies = (file: string): ReadonlyArray<Settings.Written> => {
  const target = through(file)
  try {
    const names = fs.readdirSync(path.dirname(target)).filter((name) => name.startsWith(path.basename(target) + mark))
    return names
      .toSorted()
      .toReversed()
      .flatMap((name) =>
        Result.match(read(path.join(path.dirname(target), name)), { onSuccess: (copy) => [copy], onFailure: () => [] })
      )
  } catch {
    return []
  }
}

/**
 * Written whole or not at all, through a link, and only over what was read; without a text the file goes. Gives the copy of
 * what was there.
 */
export const write = (
  file: string,
  before: string,
  after: string | undefined
): Result.Result<string | undefined, string> => {
  const target = through(file)
  const fresh = `${target}.${process.pid}.new`
  try {
    fs.mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 })
    const isThere = fs.existsSync(target)
    if ((isThere ? fs.readFileSync(target, "utf8") : "") !== before)
      return Result.fail("it has changed meanwhile; try again")
    if (isThere && (fs.statSync(target).mode & 0o222) === 0)
      return Result.fail("it is read-only; make it writable first")
    const copy = isThere ? target + mark + new Date().toISOString().replaceAll(/[-:.]/g, "") : undefined
    if (copy !== undefined) fs.copyFileSync(target, copy, fs.constants.COPYFILE_EXCL)
    if (after === undefined) fs.rmSync(target)
    else {
      fs.writeFileSync(fresh, after, { flag: "wx", mode: isThere ? fs.statSync(target).mode & 0o777 : 0o600 })
      fs.renameSync(fresh, target)
    }
    return Result.succeed(copy)
  } catch (error) {
    fs.rmSync(fresh, { force: true })
    return Result.fail(Screen.reasonOf(error))
  }
}
