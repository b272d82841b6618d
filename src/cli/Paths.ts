/**
 * Paths as a person gives them, and as they are shown: relative to where one stands, and quoted for a shell.
 */
import { Argument } from "effect/cli"
import * as fs from "node:fs"
import * as path from "node:path"
import * as Screen from "./Screen.ts"

/** A path that somebody names. */
export const argument = (name: string, description: string): Argument.Argument<string> =>
  Argument.String(name).pipe(
    Argument.filter(
      (path) => path !== "",
      () => "a path that is not empty"
    ),
    Argument.withMetavar("PATH"),
    Argument.withDescription(description)
  )

/** Where one stands, or `/` when that directory has gone. */
const here = (): string => {
  try {
    return process.cwd()
  } catch {
    return "/"
  }
}

/** A path as it was given, made absolute without resolving `..`, which may lead out of where a link points. */
export const absolute = (given: string): string => {
  const whole = given.startsWith("/") ? given : `${here()}/${given}`
  const segments = whole.split("/").filter((segment) => segment !== "" && segment !== ".")
  return `/${segments.join("/")}`
}

/** As git spells it; where nothing is at the path, as git spells the directory around it. */
export const canonical = (given: string): string => {
  const whole = absolute(given)
  return real(whole) ?? path.join(real(path.dirname(whole)) ?? path.dirname(whole), path.basename(whole))
}

const real = (path: string): string | undefined => {
  try {
    return fs.realpathSync(path)
  } catch {
    return undefined
  }
}

/** Whether certainly nothing is there. */
export const isMissing = (path: string): boolean => {
  try {
    return fs.lstatSync(path, { throwIfNoEntry: false }) === undefined
  } catch {
    return false
  }
}

/** A path relative to where one stands, where that is shorter. */
const relative = (absolute: string): string => {
  const from = here()
  const near = path.relative(from, absolute) || "."
  return near.length >= absolute.length ? absolute : operand(near)
}

/** A path that no command takes for a flag. */
export const operand = (path: string): string => (path.startsWith("-") ? `./${path}` : path)

/** A path as it is shown to a person. */
export const shown = (absolute: string): string => Screen.name(relative(absolute))

/** A path as part of a command that works when it is pasted. */
export const pasted = (absolute: string): string => quote(relative(absolute))

/** A word for a shell. */
export const quote = (word: string): string => {
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(word)) return word
  if (!/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(word)) return `'${word.replaceAll("'", `'\\''`)}'`
  const bytes = word.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}'\\]/gu, (character) =>
    Array.from(Buffer.from(character), (byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("")
  )
  return `$'${bytes}'`
}

/** How this program is started from where its output is pasted. */
export const program: string = (() => {
  const started = process.argv[1] ?? ""
  if (started.includes("/_npx/") || started.includes("/node_modules/.bin/")) return "npx session-liveness"
  return path.basename(started) === "session-liveness" ? "session-liveness" : `node ${pasted(started)}`
})()
