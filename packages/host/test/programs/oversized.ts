/** A server with one thing that is far too large: `oversized.ts tools|result|depth|noise|stderr`. */
import { createInterface } from 'node:readline'

const kind = process.argv[2] ?? ''
const megabyte = 1024 ** 2
const description = kind === 'tools' ? 'd'.repeat(2_000) : 'Gives too much'
const tools = Array.from({ length: kind === 'tools' ? 5_000 : 1 }, (_, at) => ({
  name: at === 0 ? 'get_it' : `get_${at}`,
  description,
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
}))
const send = (message: object): boolean => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === 'initialize') {
    const { protocolVersion } = params
    const serverInfo = { name: 'oversized', version: '1.0.0' }
    send({ id, result: { protocolVersion, capabilities: { tools: { listChanged: true } }, serverInfo } })
  } else if (method === 'tools/list') send({ id, result: { tools } })
  else if (method === 'tools/call') give(id)
  else if (id !== undefined && method === 'ping') send({ id, result: {} })
  else if (id !== undefined && method !== undefined) send({ id, error: { code: -32601, message: 'no such method' } })
})

function give(id: unknown): void {
  if (kind === 'tools') send({ method: 'notifications/tools/list_changed' })
  if (kind === 'depth') return void process.stdout.write(deepAnswer(id))
  const text = kind === 'result' ? 'r'.repeat(32 * megabyte) : 'given'
  send({ id, result: { content: [{ type: 'text', text }] } })
  if (kind === 'noise') flood(process.stdout, `${'n'.repeat(megabyte)}\n`)
  if (kind === 'stderr') flood(process.stderr, `${'e'.repeat(megabyte)}\n`)
}

/** Text, since it is too deep to be written as JSON. */
function deepAnswer(id: unknown): string {
  const depth = megabyte
  const nested = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[],"structuredContent":${nested}}}\n`
}

/** Writes as many lines as are taken. */
function flood(output: NodeJS.WriteStream, line: string): void {
  if (output.write(line)) setImmediate(() => flood(output, line))
  else output.once('drain', () => flood(output, line))
}
