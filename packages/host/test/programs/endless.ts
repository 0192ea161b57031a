/** A server that never comes to an end: `endless.ts pages|rounds|progress|line`. */
import { createInterface } from 'node:readline'

const worst = process.argv[2]
const tool = { name: 'get_it', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }
const send = (message: object): void => void process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
let count = 0

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  count += 1
  const tools = [{ ...tool, name: worst === 'pages' ? `get_${count}` : tool.name }]
  const common = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }
  if (method === 'server/discover') {
    const serverInfo = { name: 'endless', version: '1.0.0' }
    const supportedVersions = ['2026-07-28']
    send({ id, result: { ...common, supportedVersions, capabilities: { tools: {} }, serverInfo } })
  } else if (method === 'tools/list') {
    send({ id, result: { ...common, tools, ...(worst === 'pages' && { nextCursor: `page-${count}` }) } })
  } else if (method === 'tools/call' && worst === 'progress') {
    const { progressToken } = params._meta
    let progress = 0
    setInterval(() => send({ method: 'notifications/progress', params: { progressToken, progress: ++progress } }), 10)
  } else if (method === 'tools/call' && worst === 'line') {
    setInterval(() => process.stdout.write('x'.repeat(65_536)), 10)
  } else if (method === 'tools/call') {
    const ask = {
      method: 'elicitation/create',
      params: { mode: 'form', message: 'More?', requestedSchema: { type: 'object', properties: {} } },
    }
    send({
      id,
      result: { resultType: 'input_required', inputRequests: { [`q${count}`]: ask }, requestState: `${count}` },
    })
  } else if (id !== undefined) send({ id, error: { code: -32601, message: 'no such method' } })
})
