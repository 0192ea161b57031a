/** A server of a handshake revision that meets the question it does not know in the way its first argument says. */
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [, , manner = 'method-not-found', journal] = process.argv
if (journal) appendFileSync(journal, `start ${process.pid}\n`)

const say = (message: object): void => void process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)

const refusals: { readonly [manner: string]: object } = {
  'method-not-found': { code: -32601, message: 'Method not found' },
  'invalid-request': { code: -32600, message: 'Invalid request' },
  'invalid-params': { code: -32602, message: 'Invalid params' },
  'not-initialized': { code: -32000, message: 'Server not initialized' },
  'resource-not-found': { code: -32002, message: 'Server not initialized' },
  'parse-error': { code: -32700, message: 'Parse error' },
  'private-code': { code: 1, message: 'no' },
  'old-only': {
    code: -32022,
    message: 'Unsupported',
    data: { supported: ['2025-06-18', '2024-11-05'], requested: '2026-07-28' },
  },
  'unknown-only': {
    code: -32022,
    message: 'Unsupported',
    data: { supported: ['2099-01-01'], requested: '2026-07-28' },
  },
}

const answers: { readonly [manner: string]: (id: number) => void } = {
  dies: () => process.exit(3),
  'dies-later': (id) => {
    say({ id, error: { code: -32600, message: 'unexpected' } })
    process.exit(3)
  },
  silent: () => {},
  noisy: (id) => {
    process.stdout.write('Starting up...\n{not json\n')
    say({ id, error: { code: -32601, message: 'Method not found' } })
  },
  'id-null': () => say({ id: null, error: { code: -32700, message: 'Parse error' } }),
}

let initialized = false
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (journal) appendFileSync(journal, `${method}\n`)
  if (method === 'initialize') {
    initialized = true
    const protocolVersion =
      manner === 'counter-offer' ? '2024-11-05' : manner === 'future-offer' ? '2099-01-01' : params.protocolVersion
    say({
      id,
      result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'scripted', version: '0' } },
    })
  } else if (method === 'tools/list') say({ id, result: { tools: [{ name: 'x', inputSchema: { type: 'object' } }] } })
  else if (id !== undefined && !initialized) {
    const refusal = refusals[manner] ?? refusals['method-not-found']
    const answer = answers[manner] ?? (() => say({ id, error: refusal }))
    answer(id)
  }
}
