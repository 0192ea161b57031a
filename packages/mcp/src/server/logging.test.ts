import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { LogDeduplication, mostLogged } from '../dialects/stateless/log-deduplication.ts'
import type { LogMessage } from '../model/types.ts'
import { everyRevision, join } from '../testing/revisions.ts'
import { server } from './server.ts'

const sure = z.object({ sure: z.boolean() })
const elicitation = { form: () => ({ action: 'accept' as const, content: { sure: true } }) }
const quiet = () => server({ name: 'test', version: '1.0.0', onWarning: () => {}, onError: () => {} })

test('a handler that logs and asks is heard once, although it may run again', async () => {
  const shop = quiet().tool('sell', {}, async (_, ctx) => {
    void ctx.log('info', 'looking')
    void ctx.log('info', 'looking')
    await ctx.once('charge', () => ctx.log('info', 'charging'))
    await ctx.elicit('Sure?', sure)
    void ctx.log('info', 'charging')
    await ctx.elicit('Really?', sure)
    void ctx.log('info', { done: true })
    return 'sold'
  })
  const heard: unknown[] = []
  await everyRevision(
    shop,
    async ({ client }) => {
      if (client.revision < '2025-06-18') return
      await client.tools.call('sell', {})
      assert.deepEqual(heard.splice(0), ['looking', 'looking', 'charging', 'charging', { done: true }])
    },
    { elicitation, onLog: ({ data }: LogMessage) => heard.push(data) },
  )
})

test('the memory of log messages has a limit, beyond which they come again', async () => {
  const talkative = quiet().tool('talk', {}, async (_, ctx) => {
    for (let at = 0; at < mostLogged + 5; at++) void ctx.log('info', at)
    await ctx.elicit('Sure?', sure)
    return 'said'
  })
  const heard: unknown[] = []
  await using pair = await join(talkative, { elicitation, onLog: ({ data }) => heard.push(data) })
  await pair.client.tools.call('talk', {})
  assert.equal(heard.length, mostLogged + 10)
  const states = pair.transcript.lines
    .map(({ message }) => JSON.stringify(message))
    .filter((text) => text.includes('requestState'))
  assert.ok(states.every((text) => text.length < mostLogged * 25))
})

test('LogDeduplication: a message that cannot be remembered or compared is not read', () => {
  let read = 0
  const message = (at: number) => ({ at, toJSON: () => ++read })
  const log = new LogDeduplication([])
  for (let at = 0; at < mostLogged + 100; at++) assert.equal(log.isNew(message(at)), true)
  assert.equal(read, mostLogged)
})

test('an unknown log level is said at once, with the one that was meant', async () => {
  const shop = quiet().tool('sell', {}, (_, ctx) => void ctx.log('warn' as 'warning', 'x'))
  await using pair = await join(shop)
  const { isError, content } = await pair.client.tools.call('sell', {})
  assert.equal(isError, true)
  assert.equal(
    (content[0] as { text: string }).text,
    'Cannot use log level "warn": there is no such level; did you mean "warning"?',
  )
  const unknown = { code: 'Misuse', message: /^Cannot use log level "loud": there is no such level; levels are debug,/ }
  await assert.rejects(join(shop, { logLevel: 'loud' as 'info' }), unknown)
  await assert.rejects(pair.client.setLogLevel('loud' as 'info'), unknown)
})

test('a misused library is told to the author, not only to the caller', async () => {
  const errors: unknown[] = []
  const shop = server({ name: 'test', version: '1.0.0', onError: (error) => errors.push(error) })
  await using pair = await join(shop.tool('sell', {}, (_, ctx) => void ctx.log('warn' as 'warning', 'x')))
  await pair.client.tools.call('sell', {})
  assert.equal(errors.length, 1)
})

test('whatever is logged arrives: errors by their message, what JSON does not have by a description', async () => {
  const shop = quiet().tool('sell', {}, async (_, ctx) => {
    void ctx.log('error', new TypeError('no money'))
    void ctx.log('info', { at: new Date(0), total: 3n, why: new Error('x') })
    await ctx.log('info', undefined)
  })
  const heard: unknown[] = []
  await using pair = await join(shop, { onLog: ({ data }) => heard.push(data) })
  await pair.client.tools.call('sell', {})
  const described = '[is a BigInt; convert it to a number or a string]'
  assert.deepEqual(heard, [
    'TypeError: no money',
    { at: '1970-01-01T00:00:00.000Z', total: described, why: 'Error: x' },
    null,
  ])
})
