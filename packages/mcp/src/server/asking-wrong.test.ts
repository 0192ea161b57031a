import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { everyRevision, join } from '../testing/revisions.ts'
import type { Context } from './context.ts'
import { server } from './server.ts'

const sure = z.object({ sure: z.boolean() })
const elicitation = {
  form: () => ({ action: 'accept' as const, content: { sure: true } }),
  url: () => ({ action: 'accept' as const }),
}
const sampling = () => ({ role: 'assistant' as const, model: 'm', content: { type: 'text' as const, text: 'x' } })

/** Messages that the caller and the author get of a handler. */
async function told(handler: (ctx: Context) => unknown) {
  const errors: string[] = []
  const onError = (error: unknown) => errors.push((error as Error).message)
  const shop = server({ name: 'shop', version: '1.0.0', onWarning: () => {}, onError })
  await using pair = await join(
    shop.tool('it', {}, async (_, ctx) => {
      await handler(ctx)
    }),
    { elicitation, sampling },
  )
  const { content } = await pair.client.tools.call('it', {})
  return { message: (content[0] as { text: string } | undefined)?.text, errors }
}

const wrong: readonly [handler: (ctx: Context) => unknown, message: string][] = [
  [
    (ctx) => ctx.elicit(sure as never, 'Sure?' as never),
    'Cannot ask the user: the first argument must be the question, not a ZodObject',
  ],
  [(ctx) => ctx.elicitUrl('Look', 'not a url'), 'Cannot ask to visit "not a url": it is not a URL'],
  [(ctx) => ctx.sample('hi' as never), 'Cannot sample: must be an object; give { messages, maxTokens }'],
  [
    (ctx) => ctx.sample({ messages: [] } as never),
    'Cannot sample: maxTokens is required; give { messages, maxTokens }',
  ],
  [(ctx) => ctx.progress('half' as never), 'Cannot report progress: it must be a number, not a string'],
]

for (const [handler, message] of wrong)
  test(`a handler that asks in a wrong way is told so: ${message}`, async () => {
    assert.deepEqual(await told(handler), { message, errors: [message] })
  })

test('ctx.once: reports values that the next run would not get unchanged to the author', async () => {
  const errors: string[] = []
  const onError = (error: unknown) => errors.push((error as Error).message)
  const shop = server({ name: 'shop', version: '1.0.0', onWarning: () => {}, onError }).tool(
    'it',
    {},
    async (_, ctx) => {
      await ctx.once('plain', () => ({ a: [1] }))
      const { at } = await ctx.once('paid', () => ({ at: new Date(0), lost: () => 1 }))
      await ctx.elicit('Sure?', sure)
      return new Date(at).toISOString()
    },
  )
  await everyRevision(
    shop,
    async ({ client }) => {
      const { content } = await client.tools.call('it', {})
      if (client.revision >= '2025-06-18')
        assert.deepEqual(content, [{ type: 'text', text: '1970-01-01T00:00:00.000Z' }])
    },
    { elicitation },
  )
  assert.deepEqual(errors.slice(0, 1), [
    'Cannot keep exactly what ctx.once("paid") returned: the next run gets its JSON form',
  ])
})
