import { claudeCode } from './claude-code.ts'
import { claudeDesktop } from './claude-desktop.ts'
import type { ClientId, KnownClient } from './client.ts'
import { cline } from './cline.ts'
import { codex } from './codex.ts'
import { copilotCli } from './copilot-cli.ts'
import { cursor } from './cursor.ts'
import { geminiCli } from './gemini-cli.ts'
import { junie } from './junie.ts'
import { opencode } from './opencode.ts'
import { vscode } from './vscode.ts'
import { windsurf } from './windsurf.ts'
import { zed } from './zed.ts'

/** Every client that is known, in the order in which they are listed. */
export const clients: readonly KnownClient[] = [
  claudeCode,
  claudeDesktop,
  vscode,
  cursor,
  codex,
  geminiCli,
  windsurf,
  opencode,
  zed,
  cline,
  junie,
  copilotCli,
]

/** Facts about a client; undefined for an unknown one. */
export function findClient(id: string): KnownClient | undefined {
  return clients.find((client) => client.id === (id as ClientId))
}

/** True if a client is known to search for tools itself, so that it is better shown all of them. */
export function searchesTools(id: string): boolean {
  return findClient(id)?.searchesTools?.value === true
}
