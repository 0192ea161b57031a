import type { ServerEntry } from '../config/schema/server-entry.ts'
import type { KnownClient } from './client.ts'
import { type ClientFormat, together, type WritableFormat } from './client-format.ts'
import { readServers, sharedTable, timeLimit, toolsEntry } from './mcp-servers.ts'
import { fromShell, mapTexts } from './references.ts'
import { TableReader } from './table-reader.ts'

const repository = 'https://github.com/github/docs/blob/03b432e6d5/content/copilot'
const on = '2026-11-17'
const folder = { source: `${repository}/reference/copilot-cli-reference/cli-config-dir-reference.md`, on }
const changes = { source: 'https://github.com/github/copilot-cli/blob/9532bdacf5/changelog.md', on: '2026-08-03' }
const home = { variable: 'COPILOT_HOME', instead: '~/.copilot' }

/** GitHub Copilot CLI. */
export const copilotCli: KnownClient = {
  id: 'copilot-cli',
  title: 'GitHub Copilot CLI',
  files: {
    ...folder,
    value: [
      { scope: 'user', format: 'copilot-cli', path: '~/.copilot/mcp-config.json', moved: home },
      // it reads .mcp.json too, which is listed once, for Claude Code: a project that has it need not be used with both
      { scope: 'project', format: 'copilot-cli', path: '.github/mcp.json' },
      { scope: 'user', format: 'copilot-settings', path: '~/.copilot/settings.json', moved: home },
    ],
  },
  toolPrefix: undefined,
  maxNameLength: undefined,
  maxTools: undefined,
  callTimeoutMs: undefined,
  progressExtends: undefined,
  listChanges: { ...changes, value: true },
  elicitation: { ...changes, value: ['form'] },
  // it depends on the model
  searchesTools: undefined,
  asksFirst: { ...folder, value: true },
  // approvals are kept for each folder
  promptOff: undefined,
}

/** `mcp-config.json` of GitHub Copilot CLI: each entry has a type and the tools that are offered, `*` for all. */
export const copilotCliFormat: WritableFormat = {
  id: 'copilot-cli',
  syntax: 'json',
  read: (document) =>
    readServers(document, ['mcpServers'], (fields, entry) =>
      mapTexts(ownEntry(fields, entry), (text) => fromShell(text, false)),
    ),
  entryPath: (_, name) => ['mcpServers', name],
  write: (entry) => ({
    type: entry.url === undefined ? 'local' : entry.type === 'sse' ? 'sse' : 'http',
    ...sharedTable(entry, { url: 'url', headers: 'headers' }),
    tools: ['*'],
  }),
}

function ownEntry(fields: TableReader, entry: ServerEntry): ServerEntry {
  const tools = fields.texts('tools')
  const [clientId, scopes] = [fields.text('oauthClientId'), fields.texts('oauthScopes')]
  // settings of the client's own search, filter and sign-in
  for (const key of ['deferTools', 'filterMapping', 'isDefaultServer', 'oauthPublicClient']) fields.value(key)
  if (fields.value('oidc') === true) {
    fields.leave('oidc', 'gives the server a token of GitHub', 'keep a token of your own as a secret')
  }
  const oauth = { ...(clientId !== undefined && { clientId }), ...(scopes !== undefined && { scopes }) }
  return {
    ...entry,
    ...timeLimit('callTimeoutMs', fields.number('timeout')),
    ...toolsEntry(tools?.includes('*') ? undefined : tools, undefined),
    ...(entry.url !== undefined && Object.keys(oauth).length > 0 && { oauth }),
  }
}

/** `settings.json` of GitHub Copilot CLI, for the servers that are off. */
export const copilotSettingsFormat: ClientFormat = {
  id: 'copilot-settings',
  syntax: 'json',
  read(document) {
    const fields = new TableReader(document, [])
    const off = (fields.texts('disabledMcpServers') ?? []).map((server) => ({ server }))
    return together({ off, left: fields.left })
  },
}
