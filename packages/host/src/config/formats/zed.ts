import type { Document } from '../document/document.ts'
import type { ServerEntry } from '../schema/server-entry.ts'
import { type FoundRule, together, type WritableFormat } from './format.ts'
import { readServers, sharedTable, timeLimit } from './mcp-servers.ts'
import { literal, mapTexts } from './references.ts'
import { TableReader } from './table-reader.ts'

/** `settings.json` of Zed: `context_servers`, in which nothing is replaced, and the permissions of single tools. */
export const zedFormat: WritableFormat = {
  id: 'zed',
  syntax: 'json',
  read: (document) =>
    together(
      readServers(document, ['context_servers'], (fields, entry) => mapTexts(ownEntry(fields, entry), literal)),
      { rules: toolPermissions(document) },
    ),
  entryPath: (_, name) => ['context_servers', name],
  write: (entry) => sharedTable(entry, { url: 'url', headers: 'headers' }),
}

function ownEntry(fields: TableReader, entry: ServerEntry): ServerEntry {
  const seconds = fields.number('timeout')
  const oauth = fields.inner('oauth')
  const [clientId, clientSecret] = [oauth.text('client_id'), oauth.text('client_secret')]
  // earlier versions wrote a source, and newer ones the side it runs on in remote development
  for (const key of ['source', 'remote']) fields.value(key)
  if (fields.value('settings') !== undefined && entry.command === undefined && entry.url === undefined) {
    fields.leave('settings', 'belongs to a server that an extension of Zed starts', 'add the server by its command')
  }
  return {
    ...entry,
    ...programOf(fields),
    ...(fields.flag('enabled') === false && { disabled: true }),
    ...timeLimit('callTimeoutMs', seconds === undefined ? undefined : seconds * 1000),
    ...(entry.url !== undefined &&
      clientId !== undefined && { oauth: { clientId, ...(clientSecret !== undefined && { clientSecret }) } }),
  }
}

/** A program as earlier versions wrote it: `"command": { "path", "args", "env" }`. */
function programOf(fields: TableReader): ServerEntry {
  if (typeof fields.value('command') === 'string') return {}
  const program = fields.inner('command')
  const [command, args, env] = [program.text('path'), program.texts('args'), program.map('env')]
  if (command === undefined) return {}
  return { command, ...(args !== undefined && { args }), ...(env !== undefined && { env }) }
}

const effects: { readonly [permission: string]: FoundRule['effect'] } = { allow: 'allow', confirm: 'ask', deny: 'deny' }

/** Rules from the permissions of single tools, keyed as `mcp:server:tool`. */
function toolPermissions(document: Document): FoundRule[] {
  const tools = new TableReader(document, ['agent', 'tool_permissions', 'tools'])
  return tools.keys().flatMap((key) => {
    const [, server, tool] = /^mcp:(.+):([^:]+)$/.exec(key) ?? []
    const effect = effects[tools.inner(key).text('default') ?? '']
    if (server === undefined || tool === undefined || effect === undefined) return []
    return [{ effect, server, tool, place: tools.placeOf(key) }]
  })
}
