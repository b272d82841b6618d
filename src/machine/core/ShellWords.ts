/**
 * What a shell makes of the words of a command line that holds a script.
 */

type Environment = Readonly<Record<string, string | undefined>>

/** A tilde that begins a path, and a variable. */
const named = /(?<![^\s"'`=:,;|&<>(){}[\]@])~(?=\/)|\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/g

/**
 * Whether the environment of a process tells more than its arguments do.
 */
export const mayNameMore = (args: ReadonlyArray<string>): boolean => args.some((arg) => arg.search(named) !== -1)

/**
 * The arguments in which `~` or variables stand for absolute paths, with these in their place.
 */
export const expanded = (args: ReadonlyArray<string>, environment: Environment): ReadonlyArray<string> =>
  args.flatMap((arg) => {
    const full = arg.replace(named, (word, plain?: string, braced?: string) => {
      const value = environment[plain ?? braced ?? "HOME"]
      return value?.startsWith("/") === true ? value.replace(/(?<=.)\/+$/, "") : word
    })
    return full === arg ? [] : [full]
  })

/**
 * A text without what a shell takes for quotes, as it is read once.
 */
export const unquoted = (text: string): string =>
  text.replaceAll(
    /'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([^])/g,
    (_, single?: string, double?: string, escaped?: string) =>
      single ?? double?.replaceAll(/\\(["\\$`])/g, "$1") ?? escaped ?? ""
  )
