import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toFetch } from '../http.ts'
import type { Limiter } from '../stores/limiter.ts'
import { MemoryLimiter } from '../stores/memory-limiter.ts'
import { everyRevision, join } from '../testing/revisions.ts'
import { RateLimited, RpcError } from '../wire/errors.ts'
import type { CallRates } from './call-rates.ts'
import { server } from './server.ts'
import type { ServerOptions } from './server-options.ts'

const time = { now: 0 }
const make = (limits: CallRates, more: Partial<ServerOptions> = {}) =>
  server({
    name: 'shop',
    version: '1',
    onWarning: () => {},
    limits,
    limiter: new MemoryLimiter({ now: () => time.now }),
    ...more,
  })

/** Calls a tool of a fetch handler over HTTP as a principal; 2026-07-28, or in the session that the headers name. */
async function post(
  handle: ReturnType<typeof toFetch>,
  { name = 'buy', principal, headers = stateless }: { name?: string; principal?: string; headers?: typeof stateless },
) {
  const params = { name, arguments: {}, ...(headers === stateless && { _meta }) }
  const names = headers === stateless ? { 'mcp-method': 'tools/call', 'mcp-name': name } : {}
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const request = new Request('http://localhost/mcp', {
    method: 'POST',
    headers: { ...common, ...names, ...headers },
    body,
  })
  const response = await handle.handle(request, principal === undefined ? {} : { principal })
  return { status: response.status, after: response.headers.get('retry-after'), answer: await response.json() }
}
const common = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const stateless: { [name: string]: string } = { 'mcp-protocol-version': '2026-07-28' }
const prefix = 'io.modelcontextprotocol'
const _meta = { [`${prefix}/protocolVersion`]: '2026-07-28', [`${prefix}/clientCapabilities`]: {} }

test('callsPerMinute: a call beyond the burst is refused in every revision and says when to come back', async () => {
  let ran = 0
  const shop = make({ callsPerMinute: { calls: 60, burst: 2 } }).tool('buy', {}, () => `${++ran}`)
  await everyRevision(shop, async ({ client }) => {
    time.now += 600_000
    ran = 0
    await client.tools.call('buy', {})
    await client.tools.call('buy', {})
    await assert.rejects(client.tools.call('buy', {}), (error: RpcError) => {
      assert.ok(error instanceof RpcError)
      assert.equal(error.code, -32603)
      assert.equal(error.message, 'Cannot call tool "buy": there may be 60 calls per minute; try again in 1 s')
      assert.deepEqual(error.data, { limit: 'callsPerMinute', retryAfterMs: 1_000 })
      return true
    })
    time.now += 1_000
    await client.tools.call('buy', {})
    assert.equal(ran, 3)
    await client.tools.list()
  })
})

test('callsPerMinute: a burst is ten seconds of the rate where none is given', async () => {
  const handle = toFetch(make({ callsPerMinute: 60 }).tool('buy', {}, () => 'bought'))
  const statuses: number[] = []
  for (let call = 0; call < 12; call++) statuses.push((await post(handle, {})).status)
  assert.deepEqual(statuses, [...Array<number>(10).fill(200), 429, 429])
})

test('callsPerMinute: over HTTP the answer has status 429 and Retry-After, in a session 200 and Retry-After', async () => {
  const handle = toFetch(make({ callsPerMinute: { calls: 6, burst: 1 } }).tool('buy', {}, () => 'bought'))
  const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } }
  const opened = await handle(
    new Request('http://localhost/mcp', {
      method: 'POST',
      headers: common,
      body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: initialize }),
    }),
  )
  const headers = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '', 'mcp-protocol-version': '2025-11-25' }
  const first = await post(handle, {})
  assert.deepEqual([first.status, first.after], [200, null])
  time.now += 500
  const alone = await post(handle, {})
  assert.deepEqual([alone.status, alone.after], [429, '10'])
  assert.deepEqual(alone.answer.error.data, { limit: 'callsPerMinute', retryAfterMs: 9_500 })
  const inSession = await post(handle, { headers })
  assert.deepEqual([inSession.status, inSession.after], [200, '10'])
  assert.deepEqual(inSession.answer.error, alone.answer.error)
})

test('callsPerMinutePerCaller: each principal has its own count, and those without one share one', async () => {
  const shop = make({ callsPerMinutePerCaller: { calls: 1, burst: 1 } }).tool('buy', {}, () => 'bought')
  const handle = toFetch(shop)
  const statuses: number[] = []
  for (const principal of ['ada', 'ada', 'bob', undefined, undefined, 'null'])
    statuses.push((await post(handle, principal === undefined ? {} : { principal })).status)
  assert.deepEqual(statuses, [200, 429, 200, 200, 429, 200])
  const { answer } = await post(handle, { principal: 'bob' })
  assert.equal(
    answer.error.message,
    'Cannot call tool "buy": there may be 1 calls per minute by one caller; try again in 60 s',
  )
})

test('limits of a tool: its rates count beside those of its server, and no other tool is held up', async () => {
  const shop = make({ callsPerMinute: { calls: 60, burst: 3 } })
    .tool('buy', { limits: { callsPerMinutePerCaller: { calls: 1, burst: 1 } } }, () => 'bought')
    .tool('look', {}, () => 'seen')
  const handle = toFetch(shop)
  const statuses: number[] = []
  for (const [name, principal] of [
    ['buy', 'ada'],
    ['buy', 'ada'],
    ['buy', 'bob'],
    ['look', 'ada'],
    ['look', 'ada'],
  ] as const)
    statuses.push((await post(handle, { name, principal })).status)
  assert.deepEqual(statuses, [200, 429, 200, 200, 429], 'the refused call does not count against the server')
})

test('limits of a mounted server hold for its tools, and those of the outer one as well', async () => {
  const inner = make({}, {}).tool('buy', { limits: { callsPerMinute: { calls: 1, burst: 2 } } }, () => 'bought')
  const outer = make({ callsPerMinute: { calls: 60, burst: 3 } }).mount('shop', inner)
  const handle = toFetch(outer)
  const limits: (string | undefined)[] = []
  for (let call = 0; call < 4; call++) {
    const { answer } = await post(handle, { name: 'shop_buy' })
    limits.push(answer.error?.message.match(/there may be (\d+)/)?.[1])
  }
  assert.deepEqual(limits, [undefined, undefined, '1', '60'])
})

test('limiter: one that answers by a promise is awaited, and one that fails refuses the call', async () => {
  const answers = [undefined, { key: 'server', afterMs: 1 }, new Error('away')]
  const asked: string[] = []
  const limiter: Limiter = {
    async take(rates) {
      asked.push(...rates.map(({ key }) => key))
      const answer = answers.shift()
      if (answer instanceof Error) throw answer
      return answer
    },
  }
  const reported: unknown[] = []
  const shop = make({ callsPerMinute: 60 }, { limiter, onError: (error) => reported.push(error) })
  shop.tool('buy', {}, () => 'bought')
  await using pair = await join(shop)
  const call = () => pair.client.tools.call('buy' as never, {} as never)
  await call()
  await assert.rejects(call(), /try again in 1 s/)
  await assert.rejects(call(), /Internal error/)
  assert.match(String(reported), /away/)
  assert.deepEqual(asked, ['server', 'server', 'server'])
})

test('limiter: without rates it is never asked', async () => {
  const limiter: Limiter = { take: () => assert.fail('asked') }
  const shop = make({ callsPerMinute: Number.POSITIVE_INFINITY }, { limiter }).tool('buy', {}, () => 'bought')
  await using pair = await join(shop)
  await pair.client.tools.call('buy', {})
})

test('limits: rates that cannot be meant are refused with what to write', () => {
  const tool = (limits: unknown) => make({}).tool('buy', { limits: limits as CallRates }, () => '')
  for (const [attempt, message] of [
    [
      () => make({ callsPerMinute: 0 }),
      'Cannot make a server: "limits.callsPerMinute" must be a number above 0, or { calls, burst }',
    ],
    [
      () => make({ callsPerMinute: { calls: 5, burst: 0 } }),
      'Cannot make a server: "limits.callsPerMinute" must have a burst of at least 1 call',
    ],
    [
      () => make({ callsPerMinute: { calls: 5, bursts: 2 } as never }),
      'Cannot make a server: "limits.callsPerMinute" has an unknown member "bursts"; did you mean "burst"?',
    ],
    [
      () => make({ callPerMinute: 5 } as never),
      'Cannot set "limits.callPerMinute": no such limit here; did you mean "callsPerMinute"?',
    ],
    [
      () => tool({ callsPerMinut: 5 }),
      'Cannot add tool "buy": there is no limit "callsPerMinut" of a tool; did you mean "callsPerMinute"?',
    ],
    [() => tool(5), 'Cannot add tool "buy": "limits" must be an object, not a number'],
  ] as const)
    assert.throws(attempt, { code: 'Misuse', message })
})

test('RateLimited: an interceptor may throw its own, which is answered alike', async () => {
  const shop = make({}).tool('buy', {}, () => 'bought')
  shop.use(() => () => {
    throw new RateLimited('Later', { limit: 'mine', retryAfterMs: 2_500 })
  })
  const { status, after } = await post(toFetch(shop), {})
  assert.deepEqual([status, after], [429, '3'])
})
