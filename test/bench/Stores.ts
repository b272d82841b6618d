/**
 * Roots of any size.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { Root } from "../../src/internal.ts"

/** The `n`-th Claude id: spread over all first digits, as random ones are. */
export const claudeId = (n: number): string => {
  const hex = (Math.imul(n + 1, 0x9e3779b1) >>> 0).toString(16).padStart(8, "0")
  return `${hex}-0b1c-4d6e-8a55-${n.toString(16).padStart(12, "0")}`
}

export const managedId = (n: number): string => `session-${n}`

/** How many Claude ids each link file lists. */
export const idsPerFile = 3

/** The ids that the `n`-th link file lists. */
export const idsOf = (n: number): ReadonlyArray<string> =>
  Array.from({ length: idsPerFile }, (_, index) => claudeId(n * idsPerFile + index))

/** Writes the first `count` link files, and gives their paths. */
export const linkFiles = (root: string, count: number): ReadonlyArray<string> => {
  const directory = Root.sidecar(root)
  fs.mkdirSync(directory, { recursive: true })
  return Array.from({ length: count }, (_, n) => {
    const file = path.join(directory, managedId(n))
    fs.writeFileSync(file, `${idsOf(n).join("\n")}\n`)
    return file
  })
}

/** Writes a ledger of `count` rows, and gives its path. */
export const ledger = (root: string, count: number, sessionOf: (row: number) => string): string => {
  const file = Root.ledger(root)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  const row = (n: number) =>
    JSON.stringify({
      ts: new Date(1_780_000_000_000 + n * 1000).toISOString(),
      session_id: sessionOf(n),
      technique: "compress-output",
      tokens_saved: 100 + (n % 900),
      cost_saved_usd: (100 + (n % 900)) * 3e-6,
      basis: "output tokens of the tool call, before and after"
    })
  fs.writeFileSync(file, Array.from({ length: count }, (_, n) => `${row(n)}\n`).join(""))
  return file
}

/** Writes a record store. */
export const records = (
  root: string,
  sessions: ReadonlyArray<{ readonly id: string; readonly tmux_name: string; readonly workspace_path: string }>
): void => {
  const file = Root.store(root)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  const created_at = new Date(Date.now() - 30 * 24 * 60 * 60 * 1000).toISOString()
  fs.writeFileSync(
    file,
    JSON.stringify({ sessions: Object.fromEntries(sessions.map((record) => [record.id, { ...record, created_at }])) })
  )
}

/** What Claude Code hands to a status line. */
export const statusInput = (claudeId: string, cwd: string): string =>
  JSON.stringify({
    hook_event_name: "Status",
    session_id: claudeId,
    transcript_path: `${cwd}/${claudeId}.jsonl`,
    cwd,
    model: { id: "claude-opus-4-6", display_name: "Opus" },
    workspace: { current_dir: cwd, project_dir: cwd },
    version: "2.1.278",
    output_style: { name: "default" },
    cost: {
      total_cost_usd: 0.42,
      total_duration_ms: 45000,
      total_api_duration_ms: 2300,
      total_lines_added: 156,
      total_lines_removed: 23
    },
    context_window: { total_input_tokens: 15234, context_window_size: 200000 },
    exceeds_200k_tokens: false
  })
