import type { WritableFormat } from './format.ts'
import { readServers, sharedTable } from './mcp-servers.ts'
import { literal, mapTexts } from './references.ts'

/** The file of Claude Desktop: programs only, and nothing is replaced in it. */
export const claudeDesktopFormat: WritableFormat = {
  id: 'claude-desktop',
  syntax: 'json',
  read: (document) => readServers(document, ['mcpServers'], (_, entry) => mapTexts(entry, literal)),
  entryPath: (_, name) => ['mcpServers', name],
  write: (entry) => (entry.url === undefined ? sharedTable(entry, { url: 'url', headers: 'headers' }) : undefined),
}
