/** A server that lists its tools and then sends as much of one kind, which its argument names, as the other side takes. */
import { createInterface } from 'node:readline'

const kind = process.argv[2] ?? ''
const form = { message: 'Which?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } }
const prompt = { messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }], maxTokens: 10 }
const floods: { readonly [kind: string]: object } = {
  list_changed: { method: 'notifications/tools/list_changed' },
  elicitation: { method: 'elicitation/create', params: form },
  sampling: { method: 'sampling/createMessage', params: prompt },
  roots: { method: 'roots/list' },
  ping: { method: 'ping' },
}
const one = floods[kind]
if (one === undefined) throw new Error(`Cannot flood with "${kind}": choose from ${Object.keys(floods).join(', ')}`)

let sent = 0
let isFlooding = false
const send = (message: object): boolean => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === 'initialize') {
    const { protocolVersion } = params
    const serverInfo = { name: 'flooder', version: '1.0.0' }
    send({ id, result: { protocolVersion, capabilities: { tools: { listChanged: true } }, serverInfo } })
  } else if (method === 'tools/list') {
    send({ id, result: { tools: [{ name: 'flood', inputSchema: { type: 'object' } }] } })
    if (!isFlooding) setImmediate(flood)
    isFlooding = true
  } else if (id !== undefined && method === 'ping') send({ id, result: {} })
  else if (id !== undefined && method !== undefined) send({ id, error: { code: -32601, message: 'no such method' } })
})

function flood(): void {
  let isTaken = true
  for (let count = 0; count < 100 && isTaken; count += 1) {
    isTaken = send(kind === 'list_changed' ? { ...one } : { id: `flood-${sent}`, ...one })
    sent += 1
  }
  if (isTaken) setImmediate(flood)
  else process.stdout.once('drain', flood)
}
