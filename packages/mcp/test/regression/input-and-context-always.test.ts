import assert from 'node:assert/strict'
import { test } from 'node:test'
import { everyRevision } from '@trunkline/mcp/testing'
import { z } from 'zod'
import { fresh } from './fresh.ts'

test('a handler gets its input first and its context second, whether or not there is a schema', async () => {
  const both = fresh()
    .tool('bare', {}, (input, ctx) => `${JSON.stringify(input)} ${ctx.signal.aborted}`)
    .tool(
      'typed',
      { input: z.object({ n: z.number() }) },
      (input, ctx) => `${JSON.stringify(input)} ${ctx.signal.aborted}`,
    )
    .prompt('bare', {}, (input, ctx) => `${JSON.stringify(input)} ${ctx.signal.aborted}`)
  await everyRevision(both, async ({ client }) => {
    const said = async (name: 'bare' | 'typed', input: Record<string, unknown>) =>
      (await client.request('tools/call', { name, arguments: input })).content
    assert.deepEqual(await said('bare', {}), [{ type: 'text', text: '{} false' }])
    assert.deepEqual(await said('bare', { n: 1 }), [{ type: 'text', text: '{"n":1} false' }])
    assert.deepEqual(await said('typed', { n: 1 }), [{ type: 'text', text: '{"n":1} false' }])
    const { messages } = await client.prompts.get('bare', {})
    assert.deepEqual(messages[0]?.content, { type: 'text', text: '{} false' })
  })
})
