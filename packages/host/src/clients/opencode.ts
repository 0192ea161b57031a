import { type Document, isTable, type Path, type Value, valueAt } from '../config/document/document.ts'
import type { ConfigProblem } from '../config/problem.ts'
import type { ServerEntry } from '../config/schema/server-entry.ts'
import type { KnownClient } from './client.ts'
import { type FoundRule, type Reading, together, type WritableFormat } from './client-format.ts'
import { readServers, timeLimit } from './mcp-servers.ts'
import { fromBraces, mapTexts } from './references.ts'
import { TableReader } from './table-reader.ts'

const repository = 'https://github.com/anomalyco/opencode/blob/d545d8fba5/packages'
const on = '2026-08-19'
const docs = { source: `${repository}/web/src/content/docs/config.mdx`, on }
const catalog = { source: `${repository}/opencode/src/mcp/catalog.ts`, on }
const client = { source: `${repository}/opencode/src/mcp/index.ts`, on }

/** OpenCode. */
export const opencode: KnownClient = {
  id: 'opencode',
  title: 'OpenCode',
  files: {
    ...docs,
    value: [
      { scope: 'user', format: 'opencode', path: '~/.config/opencode/opencode.json' },
      { scope: 'user', format: 'opencode', path: '~/.config/opencode/opencode.jsonc' },
      { scope: 'project', format: 'opencode', path: 'opencode.json' },
      { scope: 'project', format: 'opencode', path: 'opencode.jsonc' },
    ],
  },
  toolPrefix: { ...catalog, value: '{server}_' },
  maxNameLength: undefined,
  maxTools: undefined,
  callTimeoutMs: undefined,
  progressExtends: { ...catalog, value: true },
  listChanges: { ...client, value: true },
  elicitation: { ...client, value: [] },
  searchesTools: undefined,
  asksFirst: undefined,
  promptOff: undefined,
}

/** `opencode.json`: `mcp` holds the servers, in newer files one level deeper; a command is one list. */
export const opencodeFormat: WritableFormat = {
  id: 'opencode',
  syntax: 'json',
  read(document) {
    const reading = readServers(document, serversPath(document), (fields, entry) =>
      mapTexts(ownEntry(fields, entry), fromBraces),
    )
    return together(reading, permissionRules(document, reading), { left: fileReferences(reading) })
  },
  entryPath: (document, name) => [...serversPath(document), name],
  write({ command, args = [], env, cwd, url, headers }) {
    if (url !== undefined) return { type: 'remote', url, ...(headers !== undefined && { headers }) }
    return {
      type: 'local',
      command: [command ?? '', ...args],
      ...(env !== undefined && { environment: env }),
      ...(cwd !== undefined && { cwd }),
    }
  },
}

/** A table named `servers` holds them, unless it is itself a server of that name. */
function serversPath({ value }: Document): Path {
  const inner = valueAt(value, ['mcp', 'servers'])
  return isTable(inner) && inner.command === undefined && inner.url === undefined ? ['mcp', 'servers'] : ['mcp']
}

function ownEntry(fields: TableReader, { command: _command, ...entry }: ServerEntry): ServerEntry {
  const [command, ...args] = commandOf(fields) ?? []
  const env = fields.map('environment')
  const cwd = fields.text('cwd')
  const oauth = fields.value('oauth') === false ? undefined : oauthOf(fields.inner('oauth'))
  const program =
    command === undefined ? {} : { command, args, ...(env !== undefined && { env }), ...(cwd !== undefined && { cwd }) }
  return {
    ...(command === undefined ? withAddress(fields, entry) : {}),
    ...program,
    ...((fields.flag('enabled') === false || fields.flag('disabled') === true) && { disabled: true }),
    ...timeouts(fields),
    ...(command === undefined && oauth !== undefined && { oauth }),
  }
}

function withAddress(fields: TableReader, entry: ServerEntry): ServerEntry {
  const headers = fields.map('headers')
  return { ...entry, ...(headers !== undefined && { headers }) }
}

function commandOf(fields: TableReader): readonly string[] | undefined {
  const command = fields.value('command')
  return typeof command === 'string' ? [command] : fields.texts('command')
}

function timeouts(fields: TableReader): ServerEntry {
  if (!isTable(fields.value('timeout'))) return timeLimit('callTimeoutMs', fields.number('timeout'))
  const timeout = fields.inner('timeout')
  return {
    ...timeLimit('startTimeoutMs', timeout.number('startup')),
    ...timeLimit('callTimeoutMs', timeout.number('request')),
  }
}

function oauthOf(oauth: TableReader): ServerEntry['oauth'] {
  const clientId = oauth.text('clientId') ?? oauth.text('client_id')
  const clientSecret = oauth.text('clientSecret') ?? oauth.text('client_secret')
  const scope = oauth.text('scope')
  if ((clientId ?? clientSecret ?? scope) === undefined) return undefined
  return {
    ...(clientId !== undefined && { clientId }),
    ...(clientSecret !== undefined && { clientSecret }),
    ...(scope !== undefined && { scopes: scope.split(' ') }),
  }
}

/** `permission` and `tools` name tools as `server_tool`; which part is the server, the servers tell. */
function permissionRules(document: Document, { servers }: Reading): Partial<Reading> {
  const rules = (['permission', 'tools'] as const).flatMap((key) => {
    const fields = new TableReader(document, [key])
    return fields.keys().flatMap((pattern): FoundRule[] => {
      const effect = effectOf(fields.value(pattern))
      const server = servers.map(({ name }) => name).find((name) => pattern.startsWith(`${safeName(name)}_`))
      if (effect === undefined || server === undefined) return []
      return [{ effect, server, tool: pattern.slice(safeName(server).length + 1), place: fields.placeOf(pattern) }]
    })
  })
  return { rules }
}

function effectOf(value: Value | undefined): FoundRule['effect'] | undefined {
  if (value === false) return 'deny'
  return value === 'allow' || value === 'ask' || value === 'deny' ? value : undefined
}

function safeName(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9_-]/g, '_')
}

/** `{file:path}` stands for the content of a file, which is not supported here. */
function fileReferences({ servers }: Reading): ConfigProblem[] {
  return servers.flatMap(({ name, entry, place }) => {
    const [reference] = /\{file:[^}]*\}/.exec(JSON.stringify(entry)) ?? []
    if (reference === undefined) return []
    const problem = `refers to ${reference}, which is not known here`
    return [{ ...place, key: `mcp.${name}`, problem, fix: 'keep what the file holds as a secret' }]
  })
}
