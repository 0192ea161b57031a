import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rawStdio } from '../raw-stdio.ts'
import { fresh } from './fresh.ts'

const megabyte = 1024 * 1024
const call = (id: number, text: string) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'length', arguments: { text } },
})

async function greeted() {
  const client = rawStdio('server')
  const sized = fresh().tool('length', {}, ({ text }) => String((text as string).length))
  sized.serve(client.channel)
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } }
  client.say({ jsonrpc: '2.0', id: 0, method: 'initialize', params })
  await client.heard.take()
  return { ...client, [Symbol.asyncDispose]: () => client.channel.close() }
}

test('a large message that arrives in many pieces is served', async () => {
  await using client = await greeted()
  const line = JSON.stringify(call(1, 'x'.repeat(9 * megabyte)))
  for (let at = 0; at < line.length; at += 4_096) client.write(line.slice(at, at + 4_096))
  client.write('\n')
  assert.deepEqual((await client.heard.take()).result.content, [{ type: 'text', text: String(9 * megabyte) }])
})

test('a message larger than the limit is refused by its id, and the connection lives on', async () => {
  await using client = await greeted()
  client.say(call(1, 'x'.repeat(17 * megabyte)), call(2, 'x'))
  const refusal = await client.heard.take()
  assert.deepEqual([refusal.id, refusal.error.code], [1, -32600])
  assert.deepEqual((await client.heard.take()).result.content, [{ type: 'text', text: '1' }])
})
