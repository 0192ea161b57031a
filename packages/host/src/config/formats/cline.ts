import { isTable } from '../document/document.ts'
import type { ServerEntry } from '../schema/server-entry.ts'
import type { WritableFormat } from './format.ts'
import { readServers, sharedEntry, sharedTable, timeLimit } from './mcp-servers.ts'
import { environmentOnly, mapTexts } from './references.ts'
import type { TableReader } from './table-reader.ts'

/** `cline_mcp_settings.json`: an address without a type is one of HTTP+SSE, and newer entries keep how to connect in `transport`. */
export const clineFormat: WritableFormat = {
  id: 'cline',
  syntax: 'json',
  read: (document) =>
    readServers(document, ['mcpServers'], (fields, entry) => mapTexts(ownEntry(fields, entry), environmentOnly)),
  entryPath: (_, name) => ['mcpServers', name],
  write: (entry) => ({
    ...(entry.url !== undefined && { type: entry.type === 'sse' ? 'sse' : 'streamableHttp' }),
    ...sharedTable(entry, { url: 'url', headers: 'headers' }),
  }),
}

function ownEntry(fields: TableReader, flat: ServerEntry): ServerEntry {
  const isNested = isTable(fields.value('transport'))
  const transport = isNested ? fields.inner('transport') : fields
  const { url, type, ...entry } = isNested ? sharedEntry(transport) : flat
  const isTyped = (transport.value('type') ?? fields.value('transportType')) !== undefined
  const seconds = fields.number('timeout')
  const client = fields.inner('oauthClient')
  const [clientId, clientSecret] = [client.text('clientId'), client.text('clientSecret')]
  // the client's own data: notes, tokens, and a mark of entries that an organisation set
  for (const key of ['metadata', 'oauth', 'remoteConfigured']) fields.value(key)
  return {
    ...entry,
    ...(flat.disabled === true && { disabled: true }),
    ...(url !== undefined && { url, ...((type === 'sse' || !isTyped) && { type: 'sse' as const }) }),
    ...timeLimit('callTimeoutMs', seconds === undefined ? undefined : Math.min(seconds, 3600) * 1000),
    ...(url !== undefined &&
      clientId !== undefined && { oauth: { clientId, ...(clientSecret !== undefined && { clientSecret }) } }),
  }
}
