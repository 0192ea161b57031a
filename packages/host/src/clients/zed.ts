import type { Document } from '../config/document/document.ts'
import type { ServerEntry } from '../config/schema/server-entry.ts'
import type { KnownClient } from './client.ts'
import { type FoundRule, together, type WritableFormat } from './client-format.ts'
import { readServers, sharedTable, timeLimit } from './mcp-servers.ts'
import { literal, mapTexts } from './references.ts'
import { TableReader } from './table-reader.ts'

const repository = 'https://github.com/zed-industries/zed/blob/7eec89207c'
const on = '2026-08-22'
const docs = { source: `${repository}/docs/src/ai/mcp.md`, on }
const settings = { source: `${repository}/docs/src/configuring-zed.md`, on }

/** Zed; its servers stand among its settings. */
export const zed: KnownClient = {
  id: 'zed',
  title: 'Zed',
  files: {
    ...settings,
    value: [
      {
        scope: 'user',
        format: 'zed',
        path: {
          darwin: '~/.config/zed/settings.json',
          win32: '%APPDATA%\\Zed\\settings.json',
          linux: '~/.config/zed/settings.json',
        },
      },
      { scope: 'project', format: 'zed', path: '.zed/settings.json' },
    ],
  },
  // only tools of one name get the name of their server in front
  toolPrefix: undefined,
  maxNameLength: { source: `${repository}/crates/agent/src/thread.rs`, on, value: 64 },
  maxTools: undefined,
  callTimeoutMs: { source: `${repository}/crates/settings_content/src/project.rs`, on, value: 60_000 },
  progressExtends: undefined,
  listChanges: { ...docs, value: true },
  elicitation: { ...docs, value: [] },
  searchesTools: undefined,
  asksFirst: { ...docs, value: true },
  // its settings approve single tools, or every tool of every server
  promptOff: undefined,
}

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
