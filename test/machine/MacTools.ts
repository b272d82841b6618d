/**
 * Programs that stand for those of macOS, on any machine.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import type { MacTools } from "../../src/machine/MacTools.ts"

/**
 * What one of them does: prints a text and ends with an exit code, or runs the text of a shell script.
 */
export type Tool = { readonly prints: string; readonly exitCode?: number } | { readonly runs: string }

/**
 * Writes them into a directory. One that is not given is not installed.
 */
export const write = (directory: string, tools: { readonly [name in keyof MacTools]?: Tool }): MacTools => {
  fs.mkdirSync(directory, { recursive: true })
  const at = (name: keyof MacTools): string => {
    const file = path.join(directory, name)
    const tool = tools[name]
    if (tool === undefined) return file
    if ("runs" in tool) fs.writeFileSync(file, `#!/bin/bash\n${tool.runs}\n`, { mode: 0o755 })
    else {
      fs.writeFileSync(`${file}.out`, tool.prints)
      fs.writeFileSync(file, `#!/bin/sh\ncat '${file}.out'\nexit ${tool.exitCode ?? 0}\n`, { mode: 0o755 })
    }
    return file
  }
  return { ps: at("ps"), lsof: at("lsof"), mount: at("mount"), sysctl: at("sysctl") }
}
