import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rawStdio } from '../raw-stdio.ts'
import { fresh } from './fresh.ts'

const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' })

/** A client that has shaken hands in this revision. */
async function greeted(protocolVersion: string) {
  const client = rawStdio('server')
  fresh().serve(client.channel)
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'raw', version: '1' } }
  client.say({ jsonrpc: '2.0', id: 0, method: 'initialize', params })
  await client.heard.take()
  return { ...client, [Symbol.asyncDispose]: () => client.channel.close() }
}

test('a batch is answered by one batch with an answer to each request, where the revision has batches', async () => {
  await using client = await greeted('2025-03-26')
  client.say([ping(1), { jsonrpc: '2.0', method: 'notifications/initialized' }, ping(2)])
  const answers = await client.heard.take()
  assert.deepEqual(answers, [
    { jsonrpc: '2.0', id: 1, result: {} },
    { jsonrpc: '2.0', id: 2, result: {} },
  ])
})

test('an invalid message in a batch is answered, and the rest of the batch is served', async () => {
  await using client = await greeted('2025-03-26')
  client.say([ping(1), 17])
  const heard = [await client.heard.take(), await client.heard.take()].flat()
  assert.deepEqual(heard.find(({ id }) => id === 1)?.result, {})
  assert.equal(heard.find(({ error }) => error)?.error.code, -32600)
})

for (const revision of ['2024-11-05', '2025-06-18', '2025-11-25']) {
  test(`a batch is refused, not dropped, in ${revision}`, async () => {
    await using client = await greeted(revision)
    client.say([ping(1), ping(2)])
    assert.equal((await client.heard.take()).error.code, -32600)
    client.say(ping(3))
    assert.deepEqual(await client.heard.take(), { jsonrpc: '2.0', id: 3, result: {} })
  })
}
