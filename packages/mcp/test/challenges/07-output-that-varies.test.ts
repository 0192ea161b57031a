import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, server } from '@trunkline/mcp'
import { contract } from '@trunkline/mcp/contract'
import { z } from 'zod'
import { revisions } from './revisions.ts'

const extensions = [contract()] as const
const annotations = { readOnlyHint: true }
const always = { maxAgeMs: Number.POSITIVE_INFINITY }
const input = z.object({ of: z.string() })

/** A server of tools that count their calls, and what each says of its results. */
function counting() {
  const calls: { [tool: string]: number } = {}
  const count = (tool: string) => {
    calls[tool] = (calls[tool] ?? 0) + 1
    return `${tool} ${calls[tool]}`
  }
  const shop = server({ name: 'shop', version: '1.0.0', extensions, onError: () => {} })
    .tool('sum', { input, effects: { reads: ['prices'] }, varies: [] }, () => count('sum'))
    .tool('time', { input, annotations, varies: ['time'] }, () => count('time'))
    .tool('random', { input, annotations, varies: ['random'], idempotent: true }, () => count('random'))
    .tool('state', { input, annotations, varies: ['network', 'state'] }, () => count('state'))
    .tool('silent', { input, annotations }, () => count('silent'))
    .tool('hinted', { input, annotations, varies: [] }, () => count('hinted'))
    .tool('writes', { input, varies: [], idempotent: true, effects: { writes: ['x'] } }, () => count('writes'))
    .tool('does', { input, varies: [], idempotent: true }, () => count('does'))
    .tool('fails', { input, annotations, varies: [] }, () => {
      throw new Error(count('fails'))
    })
    // a server that lets everything be kept, also what cannot be
    .use((next) => async (request) => {
      const result = await next(request)
      return request.method === 'tools/call' ? { ...result, ttlMs: 3_600_000, cacheScope: 'public' } : result
    })
  return { shop, calls }
}

for (const revision of revisions) {
  test(`output that varies [${revision}]: a kept result takes the place of a call only where it cannot be another one`, async () => {
    const { shop, calls } = counting()
    await using mcp = await connect(shop, { extensions: [contract()], revisions: [revision] })
    const tools = ['sum', 'time', 'random', 'state', 'silent', 'hinted', 'writes', 'does', 'fails'] as const
    for (const tool of tools) for (let time = 0; time < 3; time++) await mcp.tools.call(tool, { of: 'tea' }, always)
    // in the first revision a tool cannot say anything of its results
    const made = revision === '2024-11-05' ? 3 : 1
    const varying = { time: 3, random: 3, state: 3, silent: 3 }
    assert.deepEqual(calls, { sum: made, hinted: made, ...varying, writes: 3, does: 3, fails: 3 })
  })
}

test('output that varies: without the option nothing is kept, and another call is another call', async () => {
  const { shop, calls } = counting()
  await using mcp = await connect(shop, { extensions: [contract()] })
  const sum = (options: object = {}, of = 'tea') => mcp.tools.call('sum', { of }, options)
  await sum()
  await sum()
  assert.equal(calls.sum, 2)
  const asked = [
    ...[always, always, { ...always, want: { detail: 'full' } }, { ...always, cwd: process.cwd() }],
    ...[{ maxAgeMs: 0 }, { ...always, idempotencyKey: true }, { ...always, handle: 'h' }],
  ]
  const counts: (number | undefined)[] = []
  for (const options of asked) {
    await sum(options)
    counts.push(calls.sum)
  }
  assert.deepEqual(counts, [3, 3, 4, 5, 6, 7, 8])
  await sum(always, 'coffee')
  assert.equal(calls.sum, 9)
  await assert.rejects(sum({ maxAgeMs: -1 }), /"maxAgeMs" must be a number of milliseconds, not -1/)
  await assert.rejects(sum({ maxAgeMs: '1 h' }), /"maxAgeMs" must be a number of milliseconds, not "1 h"/)
})

test('output that varies: kept results are bounded by their size in memory', async () => {
  let calls = 0
  const shop = server({ name: 'shop', version: '1.0.0', extensions }).tool(
    'page',
    { input, annotations, varies: [] },
    () => {
      calls += 1
      return 'x'.repeat(100_000)
    },
  )
  await using mcp = await connect(shop, { extensions: [contract()], limits: { maxCacheBytes: 300_000 } })
  const page = (of: string) => mcp.tools.call('page', { of }, always)
  await page('a')
  await page('a')
  assert.equal(calls, 1)
  for (const what of ['b', 'c', 'd', 'e']) await page(what)
  await page('e')
  assert.equal(calls, 5)
  await page('a')
  assert.equal(calls, 6)
})

test('output that varies: kept results are bounded, and forgotten when the tools change', async () => {
  const { shop, calls } = counting()
  const limits = { maxCacheEntries: 2 }
  await using mcp = await connect(shop, { extensions: [contract()], limits, revisions: ['2025-11-25'] })
  const sum = (of: string) => mcp.tools.call('sum', { of }, always)
  for (const what of ['a', 'b', 'c', 'c', 'b']) await sum(what)
  assert.deepEqual((await sum('a')).content, [{ type: 'text', text: 'sum 4' }])
  assert.deepEqual((await sum('a')).content, [{ type: 'text', text: 'sum 4' }])
  let isChanged = () => {}
  const changed = new Promise<void>((resolve) => {
    isChanged = resolve
  })
  await using _watch = await mcp.watch({ tools: true }, () => isChanged())
  shop.tool('another', {}, () => '')
  await changed
  await sum('a')
  assert.equal(calls.sum, 5)
})
