import type { KnownClient } from './client.ts'
import { type ClientFormat, together, type WritableFormat } from './client-format.ts'
import { readServers, sharedTable } from './mcp-servers.ts'
import { TableReader } from './table-reader.ts'

const docs = { source: 'https://cursor.com/docs/mcp', on: '2026-11-15' }
const names = { source: 'https://github.com/ComposioHQ/composio/issues/2788', on: '2026-02-27' }
const permissions = { source: 'https://cursor.com/docs/reference/permissions', on: '2026-11-15' }

/** Cursor. */
export const cursor: KnownClient = {
  id: 'cursor',
  title: 'Cursor',
  files: {
    ...docs,
    value: [
      { scope: 'user', format: 'cursor', path: '~/.cursor/mcp.json' },
      { scope: 'project', format: 'cursor', path: '.cursor/mcp.json' },
      { scope: 'user', format: 'cursor-permissions', path: '~/.cursor/permissions.json' },
      { scope: 'project', format: 'cursor-permissions', path: '.cursor/permissions.json' },
    ],
  },
  toolPrefix: undefined,
  // the name of the server and that of the tool together; at sixty a tool is left out
  maxNameLength: { ...names, value: 59 },
  maxTools: { source: 'https://github.com/anyproto/anytype-mcp/issues/5', on: '2025-06-25', value: 40 },
  callTimeoutMs: undefined,
  progressExtends: undefined,
  listChanges: undefined,
  elicitation: undefined,
  searchesTools: undefined,
  asksFirst: { ...permissions, value: true },
  promptOff: undefined,
}

/** `mcp.json` of Cursor; `${env:NAME}` and the names of folders have the same meaning here. */
export const cursorFormat: WritableFormat = {
  id: 'cursor',
  syntax: 'json',
  read: (document) =>
    readServers(document, ['mcpServers'], (fields, entry) => {
      const envFile = fields.text('envFile')
      const auth = fields.inner('auth')
      const [clientId, clientSecret, scopes] = [
        auth.text('CLIENT_ID'),
        auth.text('CLIENT_SECRET'),
        auth.texts('scopes'),
      ]
      const oauth = {
        ...(clientId !== undefined && { clientId }),
        ...(clientSecret !== undefined && { clientSecret }),
        ...(scopes !== undefined && { scopes }),
      }
      return {
        ...entry,
        ...(entry.command !== undefined && envFile !== undefined && { envFile }),
        ...(entry.url !== undefined && Object.keys(oauth).length > 0 && { oauth }),
      }
    }),
  entryPath: (_, name) => ['mcpServers', name],
  write: (entry) => sharedTable(entry, { url: 'url', headers: 'headers' }),
}

/** `permissions.json` of Cursor: the tools that run without a question, as `server:tool`. */
export const cursorPermissionsFormat: ClientFormat = {
  id: 'cursor-permissions',
  syntax: 'json',
  read(document) {
    const fields = new TableReader(document, [])
    const rules = (fields.texts('mcpAllowlist') ?? []).flatMap((text, at) => {
      const place = fields.placeOf('mcpAllowlist', at)
      const [, server, tool] = /^([^:\s]+):([^:\s]+)$/.exec(text) ?? []
      if (server !== undefined && tool !== undefined) return [{ effect: 'allow' as const, server, tool, place }]
      fields.leave(['mcpAllowlist', at], `is "${text}", which names no tool of a server`, 'write a rule of your own')
      return []
    })
    return together({ rules, left: fields.left })
  },
}
