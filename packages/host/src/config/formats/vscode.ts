import { type Document, isTable, type Table, type Value, valueAt } from '../document/document.ts'
import { type FoundInput, together, type WritableFormat } from './format.ts'
import { oauthEntry, readServers, sharedTable } from './mcp-servers.ts'
import { TableReader } from './table-reader.ts'

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
