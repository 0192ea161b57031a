import { type Document, valueAt } from '../config/document/document.ts'
import type { ServerEntry } from '../config/schema/server-entry.ts'
import type { KnownClient } from './client.ts'
import type { FoundRule, WritableFormat } from './client-format.ts'
import { readServers, sharedTable, timeLimit, toolsEntry } from './mcp-servers.ts'
import { fromShell, mapTexts } from './references.ts'
import type { TableReader } from './table-reader.ts'

const repository = 'https://github.com/google-gemini/gemini-cli/blob/5411f113ca'
const on = '2026-08-21'
const docs = { source: `${repository}/docs/tools/mcp-server.md`, on }
const client = { source: `${repository}/packages/core/src/tools/mcp-client.ts`, on }
const names = { source: `${repository}/packages/core/src/tools/mcp-tool.ts`, on }

/** Gemini CLI. */
export const geminiCli: KnownClient = {
  id: 'gemini-cli',
  title: 'Gemini CLI',
  files: {
    ...docs,
    value: [
      { scope: 'user', format: 'gemini-cli', path: '~/.gemini/settings.json' },
      { scope: 'project', format: 'gemini-cli', path: '.gemini/settings.json' },
    ],
  },
  toolPrefix: { ...names, value: 'mcp_{server}_' },
  // longer ones lose their middle
  maxNameLength: { ...names, value: 63 },
  maxTools: undefined,
  callTimeoutMs: { ...client, value: 600_000 },
  progressExtends: { ...client, value: false },
  listChanges: { ...client, value: true },
  elicitation: { ...client, value: [] },
  searchesTools: undefined,
  asksFirst: { ...docs, value: true },
  promptOff: { ...docs, value: { where: 'entry', keys: ['trust'], value: true, adds: false } },
}

/** `settings.json` of Gemini CLI: `httpUrl` for HTTP, `url` for SSE, and `$NAME`. */
export const geminiCliFormat: WritableFormat = {
  id: 'gemini-cli',
  syntax: 'json',
  read: (document) =>
    readServers(document, ['mcpServers'], (fields, entry, name) => {
      const own = ownEntry(fields, entry)
      const off = isOff(document, name)
      const isWindows = /^[A-Za-z]:\\/.test(document.file)
      const whole = mapTexts({ ...own, ...(off && { disabled: true }) }, (text) => fromShell(text, isWindows))
      return { ...whole, rules: trustRules(fields, name) }
    }),
  entryPath: (_, name) => ['mcpServers', name],
  write: (entry) =>
    entry.type === 'sse'
      ? sharedTable(entry, { url: 'url', headers: 'headers' })
      : sharedTable(entry, { url: 'httpUrl', headers: 'headers' }),
}

function ownEntry(fields: TableReader, entry: ServerEntry): ServerEntry {
  const http = fields.text('httpUrl')
  const headers = fields.map('headers')
  const { url, type: _, ...rest } = entry
  const isTyped = fields.value('type') !== undefined
  const address = http ?? url
  const remote: ServerEntry =
    address === undefined || rest.command !== undefined
      ? {}
      : {
          url: address,
          ...(http === undefined && (!isTyped || entry.type === 'sse') && { type: 'sse' }),
          ...(headers !== undefined && { headers }),
        }
  for (const key of ['authProviderType', 'targetAudience', 'targetServiceAccount']) {
    if (fields.value(key) !== undefined) fields.leave(key, 'signs in with Google', 'sign in through the host instead')
  }
  const oauth = fields.inner('oauth')
  const clientId = oauth.text('clientId')
  const scopes = oauth.texts('scopes')
  fields.value('description')
  return {
    ...rest,
    ...remote,
    ...(remote.url !== undefined &&
      (clientId ?? scopes) !== undefined && {
        oauth: { ...(clientId !== undefined && { clientId }), ...(scopes !== undefined && { scopes }) },
      }),
    ...timeLimit('callTimeoutMs', fields.number('timeout')),
    ...toolsEntry(fields.texts('includeTools'), fields.texts('excludeTools')),
  }
}

/** A trusted server is never asked about. */
function trustRules(fields: TableReader, server: string): FoundRule[] {
  return fields.flag('trust') === true ? [{ effect: 'allow', server, tool: '*', place: fields.placeOf('trust') }] : []
}

/** Lists beside the servers say which of them are connected to. */
function isOff({ value }: Document, name: string): boolean {
  const allowed = valueAt(value, ['mcp', 'allowed'])
  const excluded = valueAt(value, ['mcp', 'excluded'])
  return (Array.isArray(allowed) && !allowed.includes(name)) || (Array.isArray(excluded) && excluded.includes(name))
}
