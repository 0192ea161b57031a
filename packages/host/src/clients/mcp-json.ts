import type { WritableFormat } from './client-format.ts'
import { oauthEntry, readServers, sharedTable, timeLimit, toolsEntry } from './mcp-servers.ts'

/** `.mcp.json`, which a project shares; `${NAME}` and `${NAME:-else}` have the same meaning here. */
export const mcpJsonFormat: WritableFormat = {
  id: 'mcp-json',
  syntax: 'json',
  read: (document) =>
    readServers(document, ['mcpServers'], (fields, entry) => {
      const timeout = fields.number('timeout') ?? fields.number('request_timeout_ms')
      fields.value('request_timeout_ms')
      if (fields.value('headersHelper') !== undefined) {
        fields.leave('headersHelper', 'runs a program for headers', 'write the headers, or sign in through the host')
      }
      // a setting of the client's own tool search
      fields.value('alwaysLoad')
      const tools = fields.texts('tools')?.filter((tool) => tool !== '*')
      const only = tools?.length === 0 ? undefined : tools
      const oauth = oauthEntry(fields)
      return {
        ...entry,
        ...timeLimit('callTimeoutMs', timeout),
        ...toolsEntry(only, undefined),
        ...(entry.url !== undefined && oauth),
      }
    }),
  entryPath: (_, name) => ['mcpServers', name],
  write: (entry) => ({
    ...(entry.url !== undefined && { type: entry.type === 'sse' ? 'sse' : 'http' }),
    ...sharedTable(entry, { url: 'url', headers: 'headers' }),
  }),
}
