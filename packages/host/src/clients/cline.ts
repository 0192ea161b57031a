import { isTable } from '../config/document/document.ts'
import type { ServerEntry } from '../config/schema/server-entry.ts'
import type { KnownClient } from './client.ts'
import type { WritableFormat } from './client-format.ts'
import { readServers, sharedEntry, sharedTable, timeLimit } from './mcp-servers.ts'
import { environmentOnly, mapTexts } from './references.ts'
import type { TableReader } from './table-reader.ts'

const repository = 'https://github.com/cline/cline/blob/21cb8d2525'
const on = '2026-08-22'
const paths = { source: `${repository}/sdk/packages/shared/src/storage/paths.ts`, on }
const docs = { source: `${repository}/docs/mcp/mcp-overview.mdx`, on }
const names = { source: `${repository}/sdk/packages/core/src/extensions/mcp/name-transform.ts`, on }
const hub = { source: `${repository}/apps/vscode/src/services/mcp/McpHub.ts`, on }

const shared = '~/.cline/data/settings/cline_mcp_settings.json'
const former = 'Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json'

/** Cline, the command and its editor extensions, which share one file. */
export const cline: KnownClient = {
  id: 'cline',
  title: 'Cline',
  files: {
    ...paths,
    value: [
      {
        scope: 'user',
        format: 'cline',
        path: shared,
        moved: [
          { variable: 'CLINE_MCP_SETTINGS_PATH', instead: shared },
          { variable: 'CLINE_DATA_DIR', instead: '~/.cline/data' },
          { variable: 'CLINE_DIR', instead: '~/.cline' },
        ],
      },
      // earlier versions of the extension; later ones copy it into the shared file once
      {
        scope: 'user',
        format: 'cline',
        path: {
          darwin: `~/Library/Application Support/${former}`,
          win32: `%APPDATA%\\${former.replaceAll('/', '\\')}`,
          linux: `~/.config/${former}`,
        },
        isFormer: true,
      },
    ],
  },
  toolPrefix: { ...names, value: '{server}__' },
  maxNameLength: { ...names, value: 64 },
  maxTools: undefined,
  callTimeoutMs: { source: `${repository}/sdk/packages/shared/src/mcp.ts`, on, value: 60_000 },
  progressExtends: undefined,
  listChanges: { ...hub, value: true },
  elicitation: { ...hub, value: [] },
  searchesTools: undefined,
  asksFirst: { ...docs, value: true },
  // "autoApprove" names single tools, and those of a server may change
  promptOff: undefined,
}

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
