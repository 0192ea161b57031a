import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { connect, InvalidParams, RpcError, server } from '@trunkline/mcp'
import { toFetch } from '@trunkline/mcp/http'
import { clientTelemetry, telemetry } from '@trunkline/mcp/telemetry'
import { everyRevision, join, script } from '@trunkline/mcp/testing'
import { gate } from '../gate.ts'
import { counts, takeSpans } from './sdk.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const spanId = 'b7ad6b7169203331'
const traceparent = `00-${traceId}-${spanId}-01`
const form = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const

const options = { name: 'traced', version: '1', onError: () => {}, onWarning: () => {} } as const
const traced = () => server(options).use(telemetry())

afterEach(() => void takeSpans())

/** The one span that ended. */
function onlySpan(): ReadableSpan {
  const spans = takeSpans()
  assert.equal(spans.length, 1)
  return spans[0] as ReadableSpan
}

test('telemetry: a call is a span that the conventions describe', async () => {
  const app = traced().tool('forecast', {}, () => 'sunny')
  await everyRevision(app, async ({ client }) => {
    await client.tools.call('forecast', {})
    const { name, kind, attributes, status } = onlySpan()
    const { 'jsonrpc.request.id': id, ...rest } = attributes
    assert.deepEqual([name, kind, status.code], ['tools/call forecast', SpanKind.SERVER, SpanStatusCode.UNSET])
    assert.match(String(id), /^\d+$/)
    assert.deepEqual(rest, {
      'mcp.method.name': 'tools/call',
      'mcp.protocol.version': client.revision,
      'gen_ai.tool.name': 'forecast',
      'gen_ai.operation.name': 'execute_tool',
    })
  })
})

test('telemetry: prompts are named, resources have an address, and lists have neither', async () => {
  const app = traced()
    .prompt('hello', {}, () => 'hi')
    .resource('test:one', {}, () => '1')
  await using both = await join(app)
  await both.client.prompts.get('hello', {})
  assert.equal(onlySpan().attributes['gen_ai.prompt.name'], 'hello')
  await both.client.resources.read('test:one')
  const { name, attributes } = onlySpan()
  assert.deepEqual([name, attributes['mcp.resource.uri']], ['resources/read', 'test:one'])
  await both.client.prompts.list().all()
  assert.equal(onlySpan().name, 'prompts/list')
})

test('telemetry: a name of any length makes a short span', async () => {
  await using both = await join(traced().tool('echo', {}, () => 'hi'))
  await assert.rejects(both.client.tools.call('x'.repeat(100_000) as 'echo', {}))
  const { name, attributes } = onlySpan()
  assert.deepEqual([name.length, attributes['gen_ai.tool.name']], [267, 'x'.repeat(256)])
})

test('telemetry: a span belongs to the trace that the request names, and so does its baggage', async () => {
  const app = traced().tool('who', {}, () => String(propagation.getActiveBaggage()?.getEntry('user')?.value))
  await everyRevision(app, async ({ client }) => {
    const { content } = await client.tools.call('who', {}, { meta: { traceparent, baggage: 'user=ada' } })
    assert.deepEqual(content, [{ type: 'text', text: 'ada' }])
    const span = onlySpan()
    assert.deepEqual([span.parentSpanContext?.spanId, span.spanContext().traceId], [spanId, traceId])
  })
})

test('telemetry: an invalid trace context of a request is ignored', async () => {
  const app = traced().tool('echo', {}, () => 'hi')
  await using both = await join(app)
  for (const meta of [{ traceparent: 'nonsense' }, { traceparent: 7 }, { baggage: '='.repeat(100_000) }]) {
    await both.client.tools.call('echo', {}, { meta })
    assert.equal(onlySpan().parentSpanContext, undefined)
  }
})

test('telemetry: spans of a handler are part of its call', async () => {
  const app = traced().tool('look', {}, async () => {
    await Promise.resolve()
    trace.getTracer('test').startSpan('inner').end()
  })
  await using both = await join(app)
  await both.client.tools.call('look', {})
  const [inner, outer] = takeSpans()
  assert.equal(inner?.name, 'inner')
  assert.equal(inner.parentSpanContext?.spanId, outer?.spanContext().spanId)
})

test('telemetry: questions to the client say what they are a part of, and are known again', async () => {
  const app = traced().tool('greet', {}, async (_, ctx) => (await ctx.elicit('Your name?', form)).name)
  for (const revision of ['2026-07-28', '2025-11-25']) {
    const { options: answers } = script({ elicitations: [{ name: 'Ada' }] })
    await using both = await join(app, { ...answers, revisions: [revision] })
    const { content } = await both.client.tools.call('greet', {}, { meta: { traceparent } })
    assert.deepEqual(content, [{ type: 'text', text: 'Ada' }])
    const question = both.transcript.toString().match(/← .*Your name.*/)?.[0] ?? ''
    assert.match(question, new RegExp(`"traceparent":"00-${traceId}-`), revision)
  }
})

test('telemetry: a refusal is an error with its code and what was said', async () => {
  const app = traced().tool('no', {}, () => {
    throw new RpcError(4_242, 'Closed today')
  })
  await using both = await join(app)
  await assert.rejects(both.client.tools.call('no', {}))
  const { status, attributes } = onlySpan()
  assert.deepEqual(status, { code: SpanStatusCode.ERROR, message: 'Closed today' })
  assert.deepEqual([attributes['error.type'], attributes['rpc.response.status_code']], ['4242', '4242'])
})

test('telemetry: a tool that fails is an error, and nothing of what only the server knows is recorded', async () => {
  const bug = () => {
    throw new TypeError('the password is swordfish')
  }
  const inTool = traced().tool('bug', {}, bug)
  const around = traced()
    .tool('bug', {}, bug)
    .use(() => bug)
  for (const [definition, type] of [
    [inTool, 'tool_error'],
    [around, 'TypeError'],
  ] as const) {
    await using both = await join(definition)
    await both.client.tools.call('bug', {}).catch(() => {})
    const { status, attributes, events } = onlySpan()
    assert.equal(attributes['error.type'], type)
    assert.doesNotMatch(JSON.stringify({ status, attributes, events }), /swordfish/)
  }
})

test('telemetry: a call that is cancelled is recorded as such', async () => {
  const [started, ended] = [gate(), gate()]
  const app = server(options)
    .use((next) => async (request) => {
      const result = await next(request)
      ended.open()
      return result
    })
    .use(telemetry())
    .tool('hang', {}, (_, { signal }) => {
      started.open()
      return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    })
  await using both = await join(app)
  const leave = new AbortController()
  const call = both.client.tools.call('hang', {}, { signal: leave.signal }).catch(() => {})
  await started.promise
  leave.abort()
  await call
  await ended.promise
  assert.equal(onlySpan().attributes['error.type'], 'cancelled')
})

test('telemetry: over HTTP the session is named, and the span of the request that brought it is linked', async () => {
  const handler = toFetch(traced().tool('echo', {}, () => 'hi'))
  const ambient = trace.getTracer('test').startSpan('POST /mcp')
  let session: string | null = null
  const fetch = (url: string, init: RequestInit) => {
    const request = new Request(url, init)
    session = request.headers.get('mcp-session-id')
    return context.with(trace.setSpan(context.active(), ambient), () => handler(request))
  }
  await using mcp = await connect('http://localhost/mcp', { http: { fetch }, revisions: ['2025-11-25'] })
  await mcp.tools.call('echo', {}, { meta: { traceparent } })
  const { parentSpanContext, links, attributes } = onlySpan()
  assert.equal(parentSpanContext?.spanId, spanId)
  assert.deepEqual(
    links.map((link) => link.context.spanId),
    [ambient.spanContext().spanId],
  )
  assert.equal(attributes['mcp.session.id'], session)
  assert.equal(attributes['network.protocol.name'], 'http')
})

test('clientTelemetry: a call is a span, and the server is told of it', async () => {
  const app = server(options).tool('where', {}, (_, ctx) => String(ctx.meta.traceparent))
  await everyRevision(
    app,
    async ({ client }) => {
      takeSpans()
      const { content } = await client.tools.call('where', {})
      const span = onlySpan()
      assert.deepEqual([span.name, span.kind], ['tools/call where', SpanKind.CLIENT])
      assert.match(String(span.attributes['jsonrpc.request.id']), /^\d+$/)
      const own = span.spanContext()
      assert.deepEqual(content, [{ type: 'text', text: `00-${own.traceId}-${own.spanId}-01` }])
    },
    { use: [clientTelemetry()] },
  )
})

test('clientTelemetry: trace context that a caller gives with a call stays', async () => {
  const app = server(options).tool('where', {}, (_, ctx) => String(ctx.meta.traceparent))
  await using both = await join(app, { use: [clientTelemetry()] })
  const { content } = await both.client.tools.call('where', {}, { meta: { traceparent } })
  assert.deepEqual(content, [{ type: 'text', text: traceparent }])
})

test('clientTelemetry: whatever goes wrong on the way is an error by its code', async () => {
  const app = server(options).tool('hang', {}, () => new Promise<void>(() => {}))
  await using both = await join(app, { use: [clientTelemetry()] })
  await assert.rejects(both.client.tools.call('hang', {}, { timeoutMs: 1 }))
  assert.equal(onlySpan().attributes['error.type'], 'Timeout')
  await assert.rejects(both.client.tools.call('nothing' as 'hang', {}))
  assert.equal(onlySpan().attributes['error.type'], String(InvalidParams))
  await assert.rejects(both.client.tools.call('hang', {}, { signal: AbortSignal.timeout(0) }))
  assert.equal(onlySpan().attributes['error.type'], 'TimeoutError')
})

test('telemetry: both sides make one trace', async () => {
  const app = traced().tool('echo', {}, () => 'hi')
  const handler = toFetch(app)
  const fetch = (url: string, init: RequestInit) =>
    context.with(context.active(), () => handler(new Request(url, init)))
  await using mcp = await connect('http://localhost/mcp', { http: { fetch }, use: [clientTelemetry()] })
  await mcp.tools.call('echo', {})
  const [inner, outer] = takeSpans()
  assert.deepEqual([inner?.kind, outer?.kind], [SpanKind.SERVER, SpanKind.CLIENT])
  assert.equal(inner?.parentSpanContext?.spanId, outer?.spanContext().spanId)
})

test('telemetry: durations are counted by what has few values', async () => {
  const app = traced()
    .tool('counted', {}, () => 'hi')
    .resource('test:counted', {}, () => '1')
  await using both = await join(app, { use: [clientTelemetry()], revisions: ['2025-03-26'] })
  await both.client.tools.call('counted', {})
  await both.client.tools.call('counted', {})
  await both.client.resources.read('test:counted')
  for (const name of ['random-1', 'random-2']) await both.client.tools.call(name as 'counted', {}).catch(() => {})
  const own = (await counts('mcp.server.operation.duration')).filter(
    ({ attributes }) => (attributes as Record<string, unknown>)['mcp.protocol.version'] === '2025-03-26',
  )
  const call = {
    'mcp.method.name': 'tools/call',
    'mcp.protocol.version': '2025-03-26',
    'gen_ai.operation.name': 'execute_tool',
  }
  const refused = { ...call, 'error.type': '-32602', 'rpc.response.status_code': '-32602' }
  const read = { 'mcp.method.name': 'resources/read', 'mcp.protocol.version': '2025-03-26' }
  assert.deepEqual(own.slice(-3), [
    { unit: 's', attributes: { ...call, 'gen_ai.tool.name': 'counted' }, count: 2 },
    { unit: 's', attributes: read, count: 1 },
    { unit: 's', attributes: refused, count: 2 },
  ])
  assert.ok((await counts('mcp.client.operation.duration')).length > 0)
})
