import { type Document, isTable, type Table, type Value, valueAt } from '../config/document/document.ts'
import type { KnownClient } from './client.ts'
import { type FoundInput, together, type WritableFormat } from './client-format.ts'
import { oauthEntry, readServers, sharedTable } from './mcp-servers.ts'
import { TableReader } from './table-reader.ts'

const repository = 'https://github.com/microsoft/vscode-docs/blob/742b93582c'
const on = '2026-08-21'
const formats = { source: `${repository}/docs/agents/reference/mcp-configuration.md`, on }
const guide = { source: `${repository}/api/extension-guides/ai/mcp.md`, on }
const tools = { source: `${repository}/docs/agents/run/tools.md`, on }

/** Visual Studio Code with Copilot. */
export const vscode: KnownClient = {
  id: 'vscode',
  title: 'VS Code',
  files: {
    ...formats,
    value: [
      {
        scope: 'user',
        format: 'vscode',
        path: {
          darwin: '~/Library/Application Support/Code/User/mcp.json',
          win32: '%APPDATA%\\Code\\User\\mcp.json',
          linux: '~/.config/Code/User/mcp.json',
        },
      },
      { scope: 'project', format: 'vscode', path: '.vscode/mcp.json' },
    ],
  },
  toolPrefix: undefined,
  maxNameLength: { source: 'https://github.com/microsoft/vscode/issues/243602', on: '2025-03-14', value: 64 },
  maxTools: { ...tools, value: 128 },
  callTimeoutMs: undefined,
  progressExtends: undefined,
  listChanges: { ...guide, value: true },
  elicitation: { ...guide, value: ['form'] },
  searchesTools: { source: `${repository}/docs/agents/reference/ai-settings.md`, on, value: true },
  asksFirst: { ...guide, value: true },
  // its settings approve every tool of every server or none
  promptOff: undefined,
}

/** `mcp.json` of VS Code: `servers`, with `inputs` that are asked for once. */
export const vscodeFormat: WritableFormat = {
  id: 'vscode',
  syntax: 'json',
  read(document) {
    const servers = readServers(document, ['servers'], (fields, entry) => {
      const envFile = fields.text('envFile')
      const oauth = oauthEntry(fields)
      if (fields.value('sandboxEnabled') === true) {
        fields.leave('sandboxEnabled', 'runs it in a sandbox', 'it runs without one here')
      }
      if (fields.value('dev') !== undefined) fields.leave('dev', 'is for developing the server', 'it is left out')
      // the gallery notes the origin of an entry here
      for (const key of ['gallery', 'version']) fields.value(key)
      if (/^(?:unix|pipe):/.test(entry.url ?? '')) {
        fields.leave('url', 'is the address of a socket', 'start the server by its command instead')
        return {}
      }
      return {
        ...entry,
        ...(entry.command !== undefined && envFile !== undefined && { envFile }),
        ...(entry.url !== undefined && oauth),
      }
    })
    const sandbox = new TableReader(document, [])
    if (sandbox.value('sandbox') !== undefined) sandbox.leave('sandbox', 'has no meaning here', 'it is left out')
    return together(servers, { inputs: inputsIn(document), left: [...sandbox.left, ...commandInputs(document)] })
  },
  entryPath: (_, name) => ['servers', name],
  write: (entry) => ({
    type: entry.url === undefined ? 'stdio' : entry.type === 'sse' ? 'sse' : 'http',
    ...sharedTable(entry, { url: 'url', headers: 'headers' }),
  }),
}

function inputsIn(document: Document): FoundInput[] {
  return inputList(document).flatMap((input, at) => {
    if (!isTable(input) || typeof input.id !== 'string' || input.type === 'command') return []
    const description = typeof input.description === 'string' ? input.description : input.id
    const place = { file: document.file, line: document.lineOf(['inputs', at]) }
    return [{ id: input.id, description, password: input.password === true, ...choicesOf(input), place }]
  })
}

function choicesOf({ default: proposed, options }: Table): Pick<FoundInput, 'default' | 'options'> {
  return {
    ...(typeof proposed === 'string' && { default: proposed }),
    ...(Array.isArray(options) && { options }),
  }
}

/** An input that is the answer of a command of the editor can only be typed here. */
function commandInputs(document: Document) {
  return inputList(document).flatMap((input, at) => {
    if (!isTable(input) || input.type !== 'command') return []
    const line = document.lineOf(['inputs', at])
    const problem = 'is the answer of a command of the editor'
    return [
      { file: document.file, line, key: `inputs.${at}`, problem, fix: `keep it as the secret "input.${input.id}"` },
    ]
  })
}

function inputList({ value }: Document): readonly Value[] {
  const inputs = valueAt(value, ['inputs'])
  return Array.isArray(inputs) ? inputs : []
}
