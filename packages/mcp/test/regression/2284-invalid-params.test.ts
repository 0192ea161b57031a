import assert from 'node:assert/strict'
import { test } from 'node:test'
import { everyRevision } from '@trunkline/mcp/testing'
import { fresh } from './fresh.ts'

const bad: readonly { method: string; params: Record<string, unknown>; field: string }[] = [
  { method: 'tools/list', params: { cursor: 5 }, field: 'cursor' },
  { method: 'tools/call', params: {}, field: 'name' },
  { method: 'tools/call', params: { name: 'x', arguments: [] }, field: 'arguments' },
  { method: 'resources/list', params: { cursor: {} }, field: 'cursor' },
  { method: 'resources/templates/list', params: { cursor: true }, field: 'cursor' },
  { method: 'resources/read', params: { uri: 5 }, field: 'uri' },
  { method: 'resources/subscribe', params: {}, field: 'uri' },
  { method: 'resources/unsubscribe', params: { uri: null }, field: 'uri' },
  { method: 'prompts/list', params: { cursor: 5 }, field: 'cursor' },
  { method: 'prompts/get', params: { name: 5 }, field: 'name' },
  { method: 'completion/complete', params: { ref: { type: 'ref/prompt', name: 'p' } }, field: 'argument' },
  { method: 'logging/setLevel', params: { level: 5 }, field: 'level' },
  { method: 'subscriptions/listen', params: { notifications: 5 }, field: 'notifications' },
]

const everything = () =>
  fresh({ declare: ['completions'] })
    .tool('x', {}, () => 'x')
    .resource('test:x', {}, () => 'x')
    .prompt('p', {}, () => 'p')

for (const { method, params, field } of bad) {
  test(`${method} with a bad "${field}" is refused with -32602 and one sentence`, async () => {
    let refused = 0
    await everyRevision(everything(), async ({ client }) => {
      const error = await client.request(method, params).catch((reason) => reason)
      // not every revision has every method
      if (error.code === 'Unsupported') return
      assert.equal(error.code, -32602)
      assert.match(error.message, new RegExp(`\\b${field}\\b`))
      assert.doesNotMatch(error.message, /[\n[{]/)
      refused += 1
    })
    assert.ok(refused > 0)
  })
}
