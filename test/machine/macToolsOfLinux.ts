import type { MacTools } from "../../src/machine/MacTools.ts"
import * as Tools from "./MacTools.ts"

/**
 * The tools of Linux in the dress of those of macOS: `ps` pads its columns to other widths and has another sign for no
 * terminal, and `mount` and `sysctl` are other programs.
 */
export const write = (
  directory: string,
  mounts: ReadonlyArray<string> = ["/dev/root on / (apfs, local)"]
): MacTools => ({
  ...Tools.write(directory, {
    ps: {
      runs: `set -euo pipefail
LC_CTYPE=C.UTF-8 ps "\${@/#ucomm=/ucomm:16=}" | sed -E '
  s/^( *[0-9]+ +[0-9]+ +[0-9]+ +[^ ]+ +)\\?( +)/\\1??\\2/
  s/^( *[0-9]+ +[0-9]+ +[0-9]+ +[^ ]+ +[^ ]+ +[A-Z][a-z]{2} [A-Z][a-z]{2} [ 0-9][0-9] [0-9:]{8} [0-9]{4}) /\\1     /'`
    },
    // What a process maps of the kernel's own rings has no name, and macOS has no such thing. The first process of a
    // virtual machine, which leads no group, and one with a bracket in its name are left out by the lsof of Linux.
    lsof: {
      runs: String.raw`set -eo pipefail
lsof "$@" | sed '/^fmem.*nanon_inode:/d'
[[ " $* " == *" -p "* ]] && exit
for process in 1 $(grep -l '[()]' /proc/[0-9]*/comm 2>/dev/null | cut -d/ -f3); do
  printf 'p%s\0cx\0u0\0\n' "$process"
done`
    },
    mount: { prints: mounts.map((line) => `${line}\n`).join("") },
    sysctl: { runs: `sed -nE 's/^btime ([0-9]+)$/{ sec = \\1, usec = 0 } Mon Nov 30 08:01:12 2026/p' /proc/stat` }
  })
})
