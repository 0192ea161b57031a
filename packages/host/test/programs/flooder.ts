/**
 * A server that sends as much of one kind as the other side takes, once its tool was called: `flooder.ts KIND`. It says on
 * stderr how much it could write, and how many listings were under way at the same time at most.
 */
import { createInterface } from 'node:readline'

const kind = process.argv[2] ?? ''
const tool = { name: 'flood', description: 'Sends as much as is taken', inputSchema: { type: 'object' } }
const form = { message: 'Which?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } }
const prompt = { messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }], maxTokens: 10 }

/** Messages of one flood, by its kind. */
const floods: { readonly [kind: string]: (number: number) => object | string } = {
  listings: () => ({ method: 'notifications/tools/list_changed' }),
  resources: () => ({ method: 'notifications/resources/list_changed' }),
  logs: (number) => ({ method: 'notifications/message', params: { level: 'error', data: `line ${number}` } }),
  forms: (number) => ({ id: `form-${number}`, method: 'elicitation/create', params: form }),
  prompts: (number) => ({ id: `prompt-${number}`, method: 'sampling/createMessage', params: prompt }),
  roots: (number) => ({ id: `roots-${number}`, method: 'roots/list' }),
  pings: (number) => ({ id: `ping-${number}`, method: 'ping' }),
  answers: (number) => ({ id: `nobody-${number}`, result: {} }),
  noise: (number) => `this is no message ${number} ${'.'.repeat(100)}`,
}

let listings = 0
let mostListings = 0
let written = 0

const send = (message: object): boolean => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const answer = (id: unknown, result: object): boolean => send({ id, result })

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === 'initialize') {
    const capabilities = { tools: { listChanged: true }, resources: { listChanged: true }, logging: {} }
    const { protocolVersion } = params
    answer(id, { protocolVersion, capabilities, serverInfo: { name: 'flooder', version: '1.0.0' } })
  } else if (method === 'tools/list') list(id)
  else if (method === 'resources/templates/list') answer(id, { resourceTemplates: [] })
  else if (method === 'tools/call') {
    answer(id, { content: [{ type: 'text', text: 'begun' }] })
    flood()
  } else if (method === 'ping' || method === 'logging/setLevel') answer(id, {})
  else if (id !== undefined && method !== undefined) send({ id, error: { code: -32601, message: 'no such method' } })
})

/** Answers a moment later, so that a second listing would be seen beside the first. */
function list(id: unknown): void {
  listings += 1
  mostListings = Math.max(mostListings, listings)
  setTimeout(() => {
    listings -= 1
    answer(id, { tools: [tool] })
  }, 5)
}

function flood(): void {
  let isTaken = true
  for (let count = 0; count < 100 && isTaken; count += 1) {
    const one = floods[kind]?.(written) ?? ''
    isTaken = typeof one === 'string' ? process.stdout.write(`${one}\n`) : send(one)
    written += 1
  }
  process.stderr.write(`wrote ${written} listings ${mostListings}\n`)
  if (isTaken) setImmediate(flood)
  else process.stdout.once('drain', flood)
}
