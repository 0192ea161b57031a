/** A server that tells by which trace it was called. */
import { createInterface } from 'node:readline'

const tools = [{ name: 'trace', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }]
const answer = (id: unknown, result: object): boolean =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  if (method === 'initialize') {
    const { protocolVersion } = params
    answer(id, { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'trace', version: '1' } })
  } else if (method === 'tools/list') answer(id, { tools })
  else if (method === 'tools/call')
    answer(id, { content: [{ type: 'text', text: params._meta?.traceparent ?? 'none' }] })
  else if (method === 'ping') answer(id, {})
  else process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'none' } })}\n`)
})
