import assert from 'node:assert/strict'
import { test } from 'node:test'
import { join } from '@trunkline/mcp/testing'
import { fresh } from './fresh.ts'

const schema = (type: string) =>
  ({ $id: 'https://example.com/same', type: 'object', properties: { value: { type } }, required: ['value'] }) as const

const refusal = async (call: Promise<{ isError?: unknown }>): Promise<boolean> => (await call).isError === true

test('two schemas with the same $id are two schemas, in one server and in two', async () => {
  const first = fresh()
    .tool('text', { input: schema('string') }, () => 'text')
    .tool('number', { input: schema('number') }, () => 'number')
  const second = fresh().tool('text', { input: schema('boolean') }, () => 'boolean')
  await using one = await join(first)
  await using two = await join(second)
  const call = (pair: typeof one | typeof two, name: string, value: unknown) =>
    pair.client.request('tools/call', { name, arguments: { value } })
  assert.deepEqual(
    [
      await refusal(call(one, 'text', 'a')),
      await refusal(call(one, 'text', 1)),
      await refusal(call(one, 'number', 'a')),
      await refusal(call(one, 'number', 1)),
      await refusal(call(two, 'text', true)),
      await refusal(call(two, 'text', 'a')),
    ],
    [false, true, true, false, false, true],
  )
})

test('a client checks what two servers return by the schema of each, whatever they call it', async () => {
  const text = fresh().tool('get', { output: schema('string') }, () => ({ value: 'a' }) as never)
  const number = fresh().tool('get', { output: schema('number') }, () => ({ value: 1 }) as never)
  await using one = await join(text, { revisions: ['2025-11-25'] })
  await using two = await join(number, { revisions: ['2025-11-25'] })
  for (const { client } of [one, two]) await client.tools.list().all()
  assert.deepEqual((await one.client.tools.call('get', {})).structuredContent, { value: 'a' })
  assert.deepEqual((await two.client.tools.call('get', {})).structuredContent, { value: 1 })
})
