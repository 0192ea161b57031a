/** A server of so many tools over stdio that does nothing else, for commands to list. */
import { createInterface } from 'node:readline'

const tools = Array.from({ length: Number(process.argv[2]) }, (_, at) => ({
  name: `tool_${at}`,
  description: `Does the work of tool ${at}`,
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
}))

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const results: { readonly [name: string]: unknown } = {
    initialize: {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'listed', version: '1.0.0' },
    },
    'tools/list': { tools },
  }
  const answer = method in results ? { result: results[method] } : { error: { code: -32601, message: 'Not found' } }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`)
})
