import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reply } from '@trunkline/mcp'
import { join } from '@trunkline/mcp/testing'
import { z } from 'zod'
import { fresh } from './fresh.ts'

const output = z.object({ sum: z.number(), note: z.string().optional() })

test('the output schema types the return value of a handler, and the result of a client', async () => {
  const typed = fresh()
    .tool('right', { output }, () => ({ sum: 5 }))
    .tool('async', { output }, async () => ({ sum: 5, note: 'later' }))
    .tool('spelled', { output }, () => reply('five', { structured: { sum: 5 } }))
    // @ts-expect-error: the sum is not a number
    .tool('wrong', { output }, () => ({ sum: 'five' }))
    // @ts-expect-error: the sum is missing
    .tool('missing', { output }, () => ({}))
    // @ts-expect-error: text is not what the schema says
    .tool('text', { output }, () => 'five')
  await using both = await join(typed, { revisions: ['2025-11-25'] })
  const { structuredContent } = await both.client.tools.call('right', {})
  const sum: number | undefined = structuredContent?.sum
  assert.equal(sum, 5)
  // @ts-expect-error: no such member
  assert.equal(structuredContent?.total, undefined)
  // @ts-expect-error: no such tool
  await assert.rejects(both.client.tools.call('nothing', {}), { code: -32602 })
  for (const name of ['wrong', 'missing', 'text'] as const) {
    await assert.rejects(both.client.tools.call(name, {}), { code: -32603 })
  }
})

test('the input schema types the arguments of a handler, and those of a client', async () => {
  const input = z.object({ n: z.number(), times: z.number().default(2) })
  const typed = fresh().tool('multiply', { input }, ({ n, times }) => {
    const product: number = n * times
    return String(product)
  })
  await using both = await join(typed)
  assert.deepEqual((await both.client.tools.call('multiply', { n: 4 })).content, [{ type: 'text', text: '8' }])
  // @ts-expect-error: n is not a string
  assert.equal((await both.client.tools.call('multiply', { n: 'four' })).isError, true)
  // @ts-expect-error: n is missing
  assert.equal((await both.client.tools.call('multiply', {})).isError, true)
})
