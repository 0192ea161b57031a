import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Fields } from '../wire/messages.ts'
import { ResponseCache } from './cache.ts'

const limits = { maxCacheEntries: 2, maxCacheBytes: 10_000, maxCacheAgeMs: 1_000 }

function cached(result: Fields, own = limits) {
  let now = 0
  let asked = 0
  const cache = new ResponseCache(own, () => now)
  const handle = cache.intercept(async () => ({ ...result, asked: ++asked }))
  return {
    cache,
    ask: async (method: string, params: Fields = {}, options: { fresh?: boolean } = {}) =>
      (await handle({ method, params, options })).asked,
    advance: (ms: number) => {
      now += ms
    },
  }
}

test('ResponseCache answers from what it keeps until its time is over', async () => {
  const { ask, advance } = cached({ ttlMs: 100 })
  assert.equal(await ask('tools/list'), 1)
  advance(99)
  assert.equal(await ask('tools/list'), 1)
  advance(1)
  assert.equal(await ask('tools/list'), 2)
})

test('ResponseCache asks anew for what has to be fresh, and keeps that', async () => {
  const { ask } = cached({ ttlMs: 100 })
  assert.equal(await ask('resources/read', { uri: 'a' }), 1)
  assert.equal(await ask('resources/read', { uri: 'a' }, { fresh: true }), 2)
  assert.equal(await ask('resources/read', { uri: 'a' }), 2)
})

for (const ttlMs of [0, -5, undefined, 'long']) {
  test(`ResponseCache keeps nothing with ttlMs ${JSON.stringify(ttlMs)}`, async () => {
    const { ask, cache } = cached({ ttlMs })
    await ask('tools/list')
    assert.equal(await ask('tools/list'), 2)
    assert.equal(cache.size, 0)
  })
}

test('ResponseCache tells different questions apart, whatever the order of their parameters, and ignores metadata', async () => {
  const { ask } = cached({ ttlMs: 100 })
  assert.equal(await ask('resources/read', { uri: 'a', x: 1 }), 1)
  assert.equal(await ask('resources/read', { x: 1, uri: 'a', _meta: { traceparent: 't' } }), 1)
  assert.equal(await ask('resources/read', { uri: 'b', x: 1 }), 2)
})

test('ResponseCache never keeps the answer to a call', async () => {
  const { ask } = cached({ ttlMs: 100 })
  await ask('tools/call', { name: 'x' })
  assert.equal(await ask('tools/call', { name: 'x' }), 2)
})

test('ResponseCache forgets what a change made wrong, and nothing else', async () => {
  const { ask, cache } = cached({ ttlMs: 100 })
  await ask('tools/list')
  await ask('resources/read', { uri: 'a' })
  cache.invalidate({ kind: 'resource', uri: 'b' })
  cache.invalidate({ kind: 'prompts' })
  assert.equal(cache.size, 2)
  cache.invalidate({ kind: 'resource', uri: 'a' })
  cache.invalidate({ kind: 'tools' })
  assert.equal(cache.size, 0)
})

test('ResponseCache does not keep a result that was requested before a change', async () => {
  const cache = new ResponseCache(limits, () => 0)
  let asked = 0
  const handle = cache.intercept(async () => {
    asked += 1
    if (asked === 1) cache.invalidate({ kind: 'tools' })
    return { ttlMs: 100 }
  })
  for (let time = 1; time <= 3; time++) await handle({ method: 'tools/list', params: {}, options: {} })
  assert.equal(asked, 2)
})

test('ResponseCache is bounded in number and in time, whatever the server says', async () => {
  const { ask, cache, advance } = cached({ ttlMs: 1e12 })
  for (const uri of ['a', 'b', 'c']) await ask('resources/read', { uri })
  assert.equal(cache.size, 2)
  assert.equal(await ask('resources/read', { uri: 'c' }), 3)
  advance(1_000)
  assert.equal(await ask('resources/read', { uri: 'c' }), 4)
})

test('ResponseCache is bounded in weight, and forgets what was not used for longest', async () => {
  const { ask, cache } = cached({ ttlMs: 1e12, text: 'x'.repeat(4_000) }, { ...limits, maxCacheEntries: 100 })
  for (const uri of ['a', 'b']) await ask('resources/read', { uri })
  assert.ok(cache.size === 2 && cache.bytes > 8_000 && cache.bytes < 10_000, `${cache.bytes}`)
  assert.equal(await ask('resources/read', { uri: 'a' }), 1)
  await ask('resources/read', { uri: 'c' })
  assert.equal(await ask('resources/read', { uri: 'a' }), 1)
  assert.equal(await ask('resources/read', { uri: 'b' }), 4)
})

test('ResponseCache keeps no result that is heavier than all of it', async () => {
  const { ask, cache } = cached({ ttlMs: 1e12, text: 'x'.repeat(20_000) })
  await ask('resources/read', { uri: 'a' })
  assert.equal(await ask('resources/read', { uri: 'a' }), 2)
  assert.deepEqual([cache.size, cache.bytes], [0, 0])
})
