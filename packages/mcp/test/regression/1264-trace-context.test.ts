import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClientHandler, Interceptor } from '@trunkline/mcp'
import { everyRevision } from '@trunkline/mcp/testing'
import { fresh } from './fresh.ts'

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

test('a tracer on both sides joins their spans with one interceptor each', async () => {
  const spans: { method: string; parent: unknown }[] = []
  const traced = fresh()
    .use((next) => (request) => {
      const { traceparent: parent } = (request.params._meta ?? {}) as { traceparent?: unknown }
      spans.push({ method: request.method, parent })
      return next(request)
    })
    .tool('where', {}, (_input, ctx) => String(ctx.meta.traceparent))
  const trace: Interceptor<ClientHandler> = (next) => (request) => {
    const meta = { ...(request.params._meta as object | undefined), traceparent }
    return next({ ...request, params: { ...request.params, _meta: meta } })
  }
  await everyRevision(
    traced,
    async ({ client }) => {
      spans.length = 0
      const { content } = await client.tools.call('where', {})
      assert.deepEqual(content, [{ type: 'text', text: traceparent }])
      assert.deepEqual(spans, [{ method: 'tools/call', parent: traceparent }])
    },
    { use: [trace] },
  )
})

test('trace context can be given with one call', async () => {
  const traced = fresh().tool('where', {}, (_input, ctx) => String(ctx.meta.traceparent))
  await everyRevision(traced, async ({ client }) => {
    const { content } = await client.tools.call('where', {}, { meta: { traceparent } })
    assert.deepEqual(content, [{ type: 'text', text: traceparent }])
  })
})
