/** A server that answers `initialize` and then nothing more. */
import { createInterface } from 'node:readline'

const answer = (id: unknown, more: object) => console.log(JSON.stringify({ jsonrpc: '2.0', id, ...more }))

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === 'server/discover') answer(id, { error: { code: -32601, message: 'no such method' } })
  if (method !== 'initialize') return
  const { protocolVersion } = params
  answer(id, { result: { protocolVersion, capabilities: {}, serverInfo: { name: 'mute', version: '1.0.0' } } })
})
