import assert from 'node:assert/strict'
import { test } from 'node:test'
import { join } from '../testing/revisions.ts'
import { MessageRate } from './message-rate.ts'
import { server } from './server.ts'

const make = (limits: object = {}) => server({ name: 'loud', version: '1', onWarning: () => {}, limits })

test('MessageRate: passes twenty seconds of messages at once, then the rate, and tells the first it leaves out', () => {
  const time = { now: 1_000 }
  const rate = new MessageRate(10, () => time.now)
  for (let at = 0; at < 200; at++) assert.equal(rate.next(), 'yes')
  assert.deepEqual([rate.next(), rate.next()], ['first', 'no'])
  time.now += 100
  assert.deepEqual([rate.next(), rate.next(), rate.next()], ['yes', 'first', 'no'])
})

test('MessageRate: none with 0, and any number with Infinity', () => {
  assert.equal(new MessageRate(0).next(), 'first')
  const endless = new MessageRate(Number.POSITIVE_INFINITY)
  for (let at = 0; at < 10_000; at++) assert.equal(endless.next(), 'yes')
})

test('ctx.log: a loop of messages is held to the rate of one call, and the caller is told once', async () => {
  const loud = make({ maxLogMessagesPerSecondPerCall: 0.1 }).tool('talk', {}, async (_, ctx) => {
    for (let at = 0; at < 1_000; at++) void ctx.log('error', at)
    return 'said'
  })
  const heard: unknown[] = []
  await using pair = await join(loud, { onLog: ({ data }) => heard.push(data), logLevel: 'error' })
  await pair.client.tools.call('talk', {})
  assert.deepEqual(heard, [0, 1, 'Log messages are left out: one call may send 0.1 per second'])
  await pair.client.tools.call('talk', {})
  assert.equal(heard.length, 6, 'another call has a rate of its own')
})

test('ctx.progress: a loop of reports is held to the rate of one call, by default as well', async () => {
  const loud = make().tool('work', {}, async (_, ctx) => {
    for (let step = 1; step <= 100_000; step++) void ctx.progress(step)
    return 'done'
  })
  const heard: number[] = []
  await using pair = await join(loud)
  await pair.client.tools.call('work', {}, { onProgress: ({ progress }) => heard.push(progress) })
  assert.ok(heard.length >= 2_000 && heard.length < 3_000, `${heard.length}`)
  assert.deepEqual(heard.slice(0, 2_000).at(-1), 2_000)
})

test('ctx.progress: a loop that awaits reports which are left out does not stop the process', async () => {
  const loud = make({ maxProgressPerSecondPerCall: 0 }).tool('work', {}, async (_, ctx) => {
    for (let step = 1; !ctx.signal.aborted; step++) await ctx.progress(step)
  })
  await using pair = await join(loud)
  const stop = new AbortController()
  const call = pair.client.tools.call('work', {}, { signal: stop.signal, onProgress: () => {} })
  setTimeout(() => stop.abort(new Error('enough')))
  await assert.rejects(call, /enough/)
})
