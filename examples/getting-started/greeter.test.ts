import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '@trunkline/mcp'
import { greeter } from './greeter.ts'

test('greet: greets by name', async () => {
  await using client = await connect(greeter)
  const { content } = await client.tools.call('greet', { name: 'Ada' })
  assert.deepEqual(content, [{ type: 'text', text: 'Hello, Ada!' }])
})
