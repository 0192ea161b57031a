import assert from 'node:assert/strict'
import { test } from 'node:test'
import { everyRevision } from '@trunkline/mcp/testing'
import { fresh } from './fresh.ts'

const input = {
  type: 'object',
  properties: { city: { type: 'string', minLength: 2 }, days: { type: 'integer', minimum: 1, maximum: 7 } },
  required: ['city'],
  additionalProperties: false,
} as const
const output = { type: 'object', properties: { degrees: { type: 'number' } }, required: ['degrees'] } as const

test('a tool takes JSON Schema as it is: typed, listed whole, and enforced', async () => {
  const weather = fresh().tool('forecast', { input, output }, ({ city, days = 1 }) => {
    const typed: [string, number] = [city, days]
    return { degrees: typed[0].length * typed[1] }
  })
  await everyRevision(weather, async ({ client }) => {
    const [listed] = await client.tools.list().all()
    assert.deepEqual(listed?.inputSchema, input)
    const { content } = await client.tools.call('forecast', { city: 'Oslo', days: 2 })
    assert.deepEqual(content, [{ type: 'text', text: '{"degrees":8}' }])
    for (const bad of [{}, { city: 'O' }, { city: 'Oslo', days: 8 }, { city: 'Oslo', moon: true }]) {
      const outcome = await client.tools
        .call('forecast', bad as never)
        .catch(({ code }) => ({ isError: code === -32602 }))
      assert.equal(outcome.isError, true, JSON.stringify(bad))
    }
  })
})
