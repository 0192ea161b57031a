import type { WritableFormat } from './format.ts'
import { readServers, sharedTable } from './mcp-servers.ts'

/** `mcp.json` of Junie: programs and addresses without a type. */
export const junieFormat: WritableFormat = {
  id: 'junie',
  syntax: 'json',
  read: (document) =>
    readServers(document, ['mcpServers'], (fields, entry) => ({
      ...entry,
      ...(fields.flag('enabled') === false && { disabled: true }),
    })),
  entryPath: (_, name) => ['mcpServers', name],
  write: (entry) => sharedTable(entry, { url: 'url', headers: 'headers' }),
}
