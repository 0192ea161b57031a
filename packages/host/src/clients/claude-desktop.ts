import type { KnownClient } from './client.ts'
import type { WritableFormat } from './client-format.ts'
import { readServers, sharedTable } from './mcp-servers.ts'
import { literal, mapTexts } from './references.ts'

const paths = { source: 'https://app.unpkg.com/@sigyl-dev/cli@1.4.3/files/src/lib/claude-config.ts', on: '2026-11-15' }
const longCalls = { source: 'https://github.com/anthropics/claude-code/issues/63379', on: '2026-05-28' }

/** Claude Desktop; its file takes programs only, so people wrap addresses with `mcp-remote`. */
export const claudeDesktop: KnownClient = {
  id: 'claude-desktop',
  title: 'Claude Desktop',
  files: {
    ...paths,
    value: [
      {
        scope: 'user',
        format: 'claude-desktop',
        path: {
          darwin: '~/Library/Application Support/Claude/claude_desktop_config.json',
          win32: '%APPDATA%\\Claude\\claude_desktop_config.json',
          linux: '~/.config/Claude/claude_desktop_config.json',
        },
      },
    ],
  },
  toolPrefix: undefined,
  maxNameLength: undefined,
  maxTools: undefined,
  // other builds wait four minutes (issue 65643 there); the shorter is safe for both
  callTimeoutMs: { ...longCalls, value: 60_000 },
  progressExtends: undefined,
  listChanges: undefined,
  elicitation: undefined,
  searchesTools: undefined,
  asksFirst: undefined,
  promptOff: undefined,
}

/** The file of Claude Desktop: programs only, and nothing is replaced in it. */
export const claudeDesktopFormat: WritableFormat = {
  id: 'claude-desktop',
  syntax: 'json',
  read: (document) => readServers(document, ['mcpServers'], (_, entry) => mapTexts(entry, literal)),
  entryPath: (_, name) => ['mcpServers', name],
  write: (entry) => (entry.url === undefined ? sharedTable(entry, { url: 'url', headers: 'headers' }) : undefined),
}
