import type { KnownClient } from './client.ts'
import type { WritableFormat } from './client-format.ts'
import { readServers, sharedTable, toolsEntry } from './mcp-servers.ts'

const docs = { source: 'https://docs.windsurf.com/windsurf/cascade/mcp', on: '2026-11-15' }

/** Windsurf, with its agent Cascade. */
export const windsurf: KnownClient = {
  id: 'windsurf',
  title: 'Windsurf',
  files: { ...docs, value: [{ scope: 'user', format: 'windsurf', path: '~/.codeium/windsurf/mcp_config.json' }] },
  toolPrefix: undefined,
  maxNameLength: undefined,
  maxTools: { ...docs, value: 100 },
  callTimeoutMs: undefined,
  progressExtends: undefined,
  listChanges: undefined,
  elicitation: undefined,
  searchesTools: undefined,
  asksFirst: undefined,
  promptOff: undefined,
}

/** `mcp_config.json` of Windsurf, which says `serverUrl` for the address. */
export const windsurfFormat: WritableFormat = {
  id: 'windsurf',
  syntax: 'json',
  read: (document) =>
    readServers(document, ['mcpServers'], (fields, entry) => {
      const url = fields.text('serverUrl')
      const remote = url === undefined || entry.command !== undefined ? {} : { url }
      return { ...entry, ...remote, ...toolsEntry(undefined, fields.texts('disabledTools')) }
    }),
  entryPath: (_, name) => ['mcpServers', name],
  write: (entry) => sharedTable(entry, { url: 'serverUrl', headers: 'headers' }),
}
