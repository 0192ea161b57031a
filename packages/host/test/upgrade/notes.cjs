// A server without dependencies, so that the same program is accepted wherever it lies.
const annotations = {
  read_note: { readOnlyHint: true },
  write_note: { destructiveHint: false, idempotentHint: true, openWorldHint: true },
  delete_note: { destructiveHint: true },
  shred_note: { destructiveHint: true },
}
const inputSchema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }
const tools = Object.entries(annotations).map(([name, given]) => ({
  name,
  description: `Does what ${name} says`,
  inputSchema,
  annotations: given,
}))
const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'notes', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools }),
  'tools/call': ({ name, arguments: { path } }) => ({ content: [{ type: 'text', text: `${name} ${path}` }] }),
  ping: () => ({}),
}
require('node:readline')
  .createInterface(process.stdin)
  .on('line', (line) => {
    const { id, method, params } = JSON.parse(line)
    if (id === undefined) return
    const make = results[method]
    const answer = make ? { result: make(params) } : { error: { code: -32601, message: 'no such method' } }
    console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
  })
