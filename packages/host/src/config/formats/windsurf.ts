import type { WritableFormat } from './format.ts'
import { readServers, sharedTable, toolsEntry } from './mcp-servers.ts'

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
