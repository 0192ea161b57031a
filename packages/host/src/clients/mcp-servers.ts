import { type Document, isTable, keyOf, type Path, type Table, valueAt } from '../config/document/document.ts'
import { dataMarks, type ServerEntry, serverEntry } from '../config/schema/server-entry.ts'
import { type FoundRule, type FoundServer, type Reading, together } from './client-format.ts'
import { mapTexts, unknownReferences, withoutSecrets } from './references.ts'
import { TableReader } from './table-reader.ts'

/** Reads the keys that a format adds to those that all of them share. */
export type ReadMore = (
  fields: TableReader,
  entry: ServerEntry,
  name: string,
) => ServerEntry & { readonly rules?: readonly FoundRule[] }

/** Reads a table of servers, each by the keys that nearly all clients share and then by those of one client. */
export function readServers(document: Document, path: Path, readMore: ReadMore = (_, entry) => entry): Reading {
  const table = valueAt(document.value, path)
  if (table === undefined) return together()
  if (!isTable(table)) return together({ left: new TableReader(document, path).left })
  return together(...Object.keys(table).map((name) => readServer(document, [...path, name], name, readMore)))
}

function readServer(document: Document, path: Path, name: string, readMore: ReadMore): Reading {
  const fields = new TableReader(document, path)
  const shared = sharedEntry(fields)
  const { rules = [], ...more } = readMore(fields, shared, name)
  const entry = { ...more, ...dataEntry(fields) }
  const approved = approvals(fields, name)
  fields.leaveRest()
  if (entry.command === undefined && entry.url === undefined) {
    if (fields.left.length === 0) fields.leaveAll('names neither a program nor an address', 'it is left out')
    return together({ left: fields.left })
  }
  for (const reference of unknownReferences(entry)) {
    fields.leaveAll(`refers to \${${reference}}, which is not known here`, 'replace it before you start the server')
  }
  if (!fits(fields, entry)) return together({ left: fields.left })
  const server: FoundServer = { name, entry: mapTexts(entry, withoutSecrets), place: fields.place }
  return together({ servers: [server], rules: [...approved, ...rules], left: fields.left })
}

/** True if the result can be an entry here; if not, reports the reason. */
function fits(fields: TableReader, entry: ServerEntry): boolean {
  let isFit = true
  serverEntry.check(entry as Table, [], ({ at, problem }) => {
    isFit = false
    fields.leaveAll(`has a value that cannot be used: ${keyOf(at)} ${problem}`, 'it is left out')
  })
  return isFit
}

/** The keys that nearly all clients share, of one table. */
export function sharedEntry(fields: TableReader): ServerEntry {
  // a list or a table is read by the format that has it
  const command = typeof fields.value('command') === 'object' ? undefined : fields.text('command')
  const args = fields.texts('args')
  const env = fields.map('env')
  const cwd = fields.text('cwd')
  const url = fields.text('url')
  const headers = fields.map('headers')
  const disabled = fields.flag('disabled')
  const type = typeOf(fields)
  return {
    ...(command !== undefined && { command }),
    ...(command !== undefined && args !== undefined && { args }),
    ...(command !== undefined && env !== undefined && { env }),
    ...(command !== undefined && cwd !== undefined && { cwd }),
    ...(url !== undefined && command === undefined && { url, ...(type === 'sse' && { type }) }),
    ...(headers !== undefined && command === undefined && { headers }),
    ...(disabled === true && { disabled }),
  }
}

/** Transport of a server, by the many words for it. */
function typeOf(fields: TableReader): 'stdio' | 'http' | 'sse' | undefined {
  const transport = isTable(fields.value('transport')) ? undefined : fields.text('transport')
  const type = fields.text('type') ?? transport ?? fields.text('transportType')
  for (const key of ['transport', 'transportType']) fields.value(key)
  if (type === undefined) return undefined
  const found = types[type.toLowerCase()]
  if (found === undefined) fields.leave('type', `is "${type}"`, 'the server is taken for one over HTTP')
  return found
}

const types: { readonly [word: string]: 'stdio' | 'http' | 'sse' } = {
  stdio: 'stdio',
  local: 'stdio',
  http: 'http',
  'streamable-http': 'http',
  streamablehttp: 'http',
  streamable_http: 'http',
  remote: 'http',
  sse: 'sse',
}

/** Tools that were approved once and for all, by the two words for it. */
function approvals(fields: TableReader, server: string): FoundRule[] {
  return ['autoApprove', 'alwaysAllow'].flatMap((key) => {
    if (fields.value(key) === true) return [{ effect: 'allow' as const, server, tool: '*', place: fields.placeOf(key) }]
    const tools = fields.value(key) === false ? [] : (fields.texts(key) ?? [])
    return tools.map((tool, at) => ({ effect: 'allow' as const, server, tool, place: fields.placeOf(key, at) }))
  })
}

/** An entry as nearly all clients read it. */
export function sharedTable(entry: ServerEntry, names: { readonly url: string; readonly headers: string }): Table {
  const { command, args, env, cwd, url, headers } = entry
  if (url !== undefined) return { [names.url]: url, ...(headers !== undefined && { [names.headers]: headers }) }
  return {
    command: command ?? '',
    ...(args !== undefined && { args }),
    ...(env !== undefined && { env }),
    ...(cwd !== undefined && { cwd }),
  }
}

/** A choice of tools, where there is one. */
export function toolsEntry(only: readonly string[] | undefined, except: readonly string[] | undefined): ServerEntry {
  if (only === undefined && except === undefined) return {}
  return { tools: { ...(only !== undefined && { only }), ...(except !== undefined && { except }) } }
}

/** Marks of a server's data, where they are marks. */
function dataEntry(fields: TableReader): ServerEntry {
  const written = fields.value('data')
  if (written === undefined) return {}
  const list = new Set(Array.isArray(written) ? written : [written])
  const data = dataMarks.filter((mark) => list.delete(mark))
  const [one] = data
  if (list.size === 0 && one !== undefined) return { data: data.length === 1 ? one : data }
  fields.leave(
    'data',
    'is no mark of data',
    `it is left out; the marks are ${dataMarks.map((mark) => `"${mark}"`).join(' and ')}`,
  )
  return {}
}

/** OAuth settings of an entry, if it has any. */
export function oauthEntry(fields: TableReader): ServerEntry {
  const oauth = fields.inner('oauth')
  const [clientId, scopes, callbackPort] = [oauth.text('clientId'), oauth.texts('scopes'), oauth.number('callbackPort')]
  if ((clientId ?? scopes ?? callbackPort) === undefined) return {}
  return {
    oauth: {
      ...(clientId !== undefined && { clientId }),
      ...(scopes !== undefined && { scopes }),
      ...(callbackPort !== undefined && { callbackPort }),
    },
  }
}

/** A time limit in whole milliseconds, where it is one. */
export function timeLimit(key: 'callTimeoutMs' | 'startTimeoutMs', ms: number | undefined): ServerEntry {
  return ms === undefined || !(ms >= 1) ? {} : { [key]: Math.min(Math.round(ms), 86_400_000) }
}
