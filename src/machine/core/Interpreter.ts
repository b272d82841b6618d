/**
 * Programs that run others by name: shells, and the runtimes of scripts.
 */
import { baseName, type Process } from "./Processes.ts"

/**
 * Whether that is the path or the name of a runtime.
 */
export const isRuntime = (command: string | undefined): boolean =>
  command !== undefined && /^(node|nodejs|bun|deno)[-.0-9]*$/.test(baseName(command))

const isShell = (command: string | undefined): boolean =>
  command !== undefined &&
  /^-?(sh|bash|zsh|fish|dash|ash|ksh|mksh|csh|tcsh|nu|elvish|xonsh|pwsh)[-.0-9]*$/.test(baseName(command))

/**
 * Whether the process is a shell or a runtime, told by its executable and, where that cannot be read, by its command.
 */
export const is = ({ executable, args }: Pick<Process, "executable" | "args">): boolean => {
  const command = executable ?? args[0]
  return isShell(command) || isRuntime(command)
}

/**
 * Whether the process is a shell.
 */
export const isShellProcess = ({ executable, args }: Pick<Process, "executable" | "args">): boolean =>
  isShell(executable ?? args[0])
