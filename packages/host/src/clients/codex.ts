import type { ServerEntry } from '../config/schema/server-entry.ts'
import type { KnownClient } from './client.ts'
import type { FoundRule, WritableFormat } from './client-format.ts'
import { readServers, sharedTable, timeLimit, toolsEntry } from './mcp-servers.ts'
import { literal, mapTexts } from './references.ts'
import type { TableReader } from './table-reader.ts'

const repository = 'https://github.com/openai/codex/blob/343074d420/codex-rs'
const on = '2026-08-22'
const formats = { source: `${repository}/config/src/mcp_types.rs`, on }
const names = { source: `${repository}/codex-mcp/src/tools.rs`, on }
const handler = { source: `${repository}/rmcp-client/src/logging_client_handler.rs`, on }

const home = { variable: 'CODEX_HOME', instead: '~/.codex' }

/** Codex, the command and its editor extensions. */
export const codex: KnownClient = {
  id: 'codex',
  title: 'Codex',
  files: {
    ...formats,
    value: [
      { scope: 'user', format: 'codex', path: '~/.codex/config.toml', moved: home },
      { scope: 'project', format: 'codex', path: '.codex/config.toml' },
    ],
  },
  toolPrefix: { ...names, value: 'mcp__{server}__' },
  maxNameLength: { ...names, value: 128 },
  maxTools: undefined,
  callTimeoutMs: { source: `${repository}/codex-mcp/src/rmcp_client.rs`, on, value: 300_000 },
  // progress and changed lists are written to its log and nothing else
  progressExtends: { ...handler, value: false },
  listChanges: { ...handler, value: false },
  elicitation: { ...handler, value: ['form'] },
  searchesTools: undefined,
  asksFirst: { ...formats, value: true },
  promptOff: {
    ...formats,
    value: { where: 'entry', keys: ['default_tools_approval_mode'], value: 'approve', adds: false },
  },
}

/** `config.toml` of Codex: tables `[mcp_servers.name]`; variables are named, never written into texts. */
export const codexFormat: WritableFormat = {
  id: 'codex',
  syntax: 'toml',
  read: (document) =>
    readServers(document, ['mcp_servers'], (fields, entry, name) => {
      const whole = { ...mapTexts(entry, literal), ...settingsOf(fields) }
      return { ...withVariables(fields, whole), rules: approvalRules(fields, name) }
    }),
  entryPath: (_, name) => ['mcp_servers', name],
  write: (entry) => sharedTable(entry, { url: 'url', headers: 'http_headers' }),
}

function settingsOf(fields: TableReader): ServerEntry {
  const seconds = fields.number('startup_timeout_sec')
  const startMs = seconds === undefined ? fields.number('startup_timeout_ms') : seconds * 1000
  const callSeconds = fields.number('tool_timeout_sec')
  for (const key of ['startup_timeout_ms', 'required', 'supports_parallel_tool_calls', 'name']) fields.value(key)
  if (fields.value('http_headers_helper') !== undefined) {
    fields.leave('http_headers_helper', 'runs a program for headers', 'write the headers, or sign in through the host')
  }
  return {
    ...(fields.flag('enabled') === false && { disabled: true }),
    ...timeLimit('startTimeoutMs', startMs),
    ...timeLimit('callTimeoutMs', callSeconds === undefined ? undefined : callSeconds * 1000),
    ...toolsEntry(fields.texts('enabled_tools'), fields.texts('disabled_tools')),
  }
}

/** Variables that are passed on, and headers that are taken from them. */
function withVariables(fields: TableReader, entry: ServerEntry): ServerEntry {
  const passed = Object.fromEntries(variableNames(fields).map((name) => [name, `\${${name}}`]))
  const written = Object.entries(fields.map('http_headers') ?? {}).map(([name, text]) => [name, literal(text)])
  const taken = Object.entries(fields.map('env_http_headers') ?? {}).map(([name, variable]) => [
    name,
    `\${${variable}}`,
  ])
  const bearer = fields.text('bearer_token_env_var')
  const headers = {
    ...Object.fromEntries([...written, ...taken]),
    ...(bearer !== undefined && { Authorization: `Bearer \${${bearer}}` }),
  }
  const oauth = oauthOf(fields)
  if (entry.command !== undefined)
    return { ...entry, ...(Object.keys(passed).length > 0 && { env: { ...passed, ...entry.env } }) }
  return { ...entry, ...(Object.keys(headers).length > 0 && { headers }), ...(oauth !== undefined && { oauth }) }
}

function variableNames(fields: TableReader): string[] {
  const list = fields.value('env_vars')
  if (!Array.isArray(list)) return []
  return list.flatMap((item) => {
    const name = typeof item === 'object' && item !== null && 'name' in item ? item.name : item
    return typeof name === 'string' && /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? [name] : []
  })
}

function oauthOf(fields: TableReader): ServerEntry['oauth'] {
  const oauth = fields.inner('oauth')
  const [clientId, callbackPort] = [oauth.text('client_id'), oauth.number('callback_port')]
  const [scopes, resource] = [fields.texts('scopes'), fields.text('oauth_resource')]
  if ((clientId ?? callbackPort ?? scopes ?? resource) === undefined) return undefined
  return {
    ...(clientId !== undefined && { clientId }),
    ...(callbackPort !== undefined && { callbackPort }),
    ...(scopes !== undefined && { scopes }),
    ...(resource !== undefined && { resource }),
  }
}

/** Rules from approval modes, of a whole server and of single tools. */
function approvalRules(fields: TableReader, server: string): FoundRule[] {
  const usual = ruleFor(fields, 'default_tools_approval_mode', { server, tool: '*' })
  const tools = fields.inner('tools')
  return [...usual, ...tools.keys().flatMap((tool) => ruleFor(tools.inner(tool), 'approval_mode', { server, tool }))]
}

function ruleFor(fields: TableReader, key: string, about: Pick<FoundRule, 'server' | 'tool'>): FoundRule[] {
  const mode = fields.text(key)
  if (mode === 'approve') return [{ ...about, effect: 'allow', place: fields.placeOf(key) }]
  if (mode === 'prompt') return [{ ...about, effect: 'ask', place: fields.placeOf(key) }]
  return []
}
