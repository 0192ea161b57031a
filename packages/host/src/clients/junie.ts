import type { KnownClient } from './client.ts'
import type { WritableFormat } from './client-format.ts'
import { readServers, sharedTable } from './mcp-servers.ts'

const docs = { source: 'https://junie.jetbrains.com/docs/junie-cli-mcp-configuration.html', on: '2026-06-17' }
const help = { source: 'https://www.jetbrains.com/help/junie/model-context-protocol-mcp.html', on: '2026-11-17' }

/** Junie, the agent of JetBrains: the plugin of its editors and the command read the same files. */
export const junie: KnownClient = {
  id: 'junie',
  title: 'Junie (JetBrains)',
  files: {
    ...docs,
    value: [
      { scope: 'user', format: 'junie', path: '~/.junie/mcp/mcp.json' },
      { scope: 'project', format: 'junie', path: '.junie/mcp/mcp.json' },
    ],
  },
  toolPrefix: undefined,
  maxNameLength: undefined,
  maxTools: undefined,
  callTimeoutMs: undefined,
  progressExtends: undefined,
  listChanges: undefined,
  elicitation: undefined,
  searchesTools: undefined,
  asksFirst: { ...help, value: true },
  promptOff: undefined,
}

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
