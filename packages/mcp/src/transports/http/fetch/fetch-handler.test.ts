import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import { gate } from '../../../../test/gate.ts'
import { soon } from '../../../../test/soon.ts'
import { toFetch } from '../../../http.ts'
import { type Context, server } from '../../../index.ts'

const prefix = 'io.modelcontextprotocol'
const _meta = {
  [`${prefix}/protocolVersion`]: '2026-07-28',
  [`${prefix}/clientCapabilities`]: {},
  progressToken: 'p',
}
const headers = {
  'content-type': 'application/json',
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'work',
}

const call = (signal?: AbortSignal) => {
  const params = { name: 'work', arguments: {}, _meta }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  return new Request('http://localhost/mcp', { method: 'POST', headers, body, ...(signal && { signal }) })
}

/** A server whose tool does this until it is called off, and the promise of that. */
function calledOff(work: (ctx: Context) => void) {
  let tell: (reason: unknown) => void
  const reason = new Promise<unknown>((resolve) => {
    tell = resolve
  })
  const app = server({ name: 'far', version: '1' }).tool('work', {}, (_, ctx) => {
    ctx.signal.addEventListener('abort', () => tell(ctx.signal.reason))
    work(ctx)
    return reason.then(() => {})
  })
  return { handler: toFetch(app), reason }
}

test('FetchReply: a reader that cancels the stream cancels its request', async () => {
  const { handler, reason } = calledOff((ctx) => void ctx.progress(1))
  const { body } = await handler(call())
  await body?.cancel()
  assert.match(String(await reason), /The client went away/)
})

test('FetchReply: a reader that does not read loses notices beyond a bound, but not the answer', async () => {
  const app = server({ name: 'far', version: '1' }).tool('work', {}, (_, ctx) => {
    for (let step = 1; step < 200; step++) void ctx.progress(step, 200, 'x'.repeat(65_536))
    return 'done'
  })
  const text = await (await toFetch(app)(call())).text()
  assert.ok(text.length < 5 * 1024 * 1024, `${text.length} characters were kept`)
  assert.match(text.slice(-400), /"text":"done"/)
})

test('FetchSink: a tool that waits for its reader is released when the reader cancels', async () => {
  const { promise: isOver, open: over } = gate<boolean>()
  let steps = 0
  const app = server({ name: 'far', version: '1' }).tool('work', {}, async (_, ctx) => {
    for (; !ctx.signal.aborted; steps++) await ctx.progress(steps + 1, undefined, 'x'.repeat(65_536))
    over(true)
  })
  const { body } = await toFetch(app)(call())
  // nothing is read, so that it soon waits
  for (let before = -1; steps !== before; await new Promise(setImmediate)) before = steps
  await body?.cancel()
  assert.ok(await soon(isOver, 'the end of the tool'))
})

test('FetchSink: a stream that is not read is ended when the time is up', async ({ mock }) => {
  mock.timers.enable({ apis: ['setInterval'] })
  let now = 0
  mock.method(performance, 'now', () => now)
  const pass = (ms: number): void => {
    now += ms
    mock.timers.tick(ms)
  }
  const { handler, reason } = calledOff((ctx) => {
    for (let step = 1; step < 200; step++) void ctx.progress(step, 200, 'x'.repeat(65_536))
  })
  let isCancelled = false
  void reason.then(() => {
    isCancelled = true
  })
  const { body } = await handler(call())
  pass(30_000)
  await Promise.resolve()
  assert.equal(isCancelled, false)
  pass(60_000 + 5_000_000 / 64)
  assert.match(String(await soon(reason, 'the end of the call')), /The client went away/)
  await assert.rejects(new Response(body).text(), /The stream was not read/)
})

test('FetchReply: a request that is aborted before there is an answer is cancelled', async () => {
  const leave = new AbortController()
  const { handler, reason } = calledOff(() => leave.abort())
  void handler(call(leave.signal))
  assert.match(String(await reason), /The client went away/)
})

test('FetchReply: a request that was aborted while its body was read is cancelled', async () => {
  const gone = call(AbortSignal.abort())
  const { handler, reason } = calledOff(() => {})
  void handler(gone)
  assert.match(String(await reason), /The client went away/)
})

test('FetchReply: an answered request has no listener for its abort', async () => {
  const request = call()
  const listeners = (): number => getEventListeners(request.signal, 'abort').length
  const app = server({ name: 'far', version: '1' }).tool('work', {}, async () => {
    await Promise.resolve()
    assert.equal(listeners(), 1)
  })
  assert.equal((await toFetch(app)(request)).status, 200)
  assert.equal(listeners(), 0)
})
