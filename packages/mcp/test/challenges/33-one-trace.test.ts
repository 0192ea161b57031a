import assert from 'node:assert/strict'
import { test } from 'node:test'
import { context, trace } from '@opentelemetry/api'
import { type Client, connect, type Server, server } from '@trunkline/mcp'
import { serveHttp } from '@trunkline/mcp/node'
import { clientTelemetry, telemetry } from '@trunkline/mcp/telemetry'
import { programFile } from '../../../../tools/lib/program-file.ts'
import { takeSpans } from '../telemetry/sdk.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const origin = { traceId, spanId: 'b7ad6b7169203331', traceFlags: 1, isRemote: true }
const program = programFile(new URL('traced-server.ts', import.meta.url))

/** A server whose tool calls the same tool of the next one. */
function hop(name: string, next: Client): Server {
  return server({ name, version: '1.0.0' })
    .use(telemetry())
    .tool('ask', {}, async () => (await next.tools.call('ask', {})).content[0])
}

for (const revision of ['2026-07-28', '2025-11-25', '2024-11-05']) {
  test(`one trace [${revision}]: three hops over three transports, a span for each side, and one trace id`, async () => {
    const use = [clientTelemetry()]
    const options = { use, revisions: [revision] }
    const stdio = { command: process.execPath, args: [program] }
    await using third = (await connect(stdio, options)) as Client & AsyncDisposable
    const second = hop('second', third)
    await using toSecond = (await connect(second, options)) as Client & AsyncDisposable
    await using http = await serveHttp(hop('first', toSecond))
    // the first revision has no Streamable HTTP, so its first hop speaks the next one
    const outer = revision === '2024-11-05' ? '2025-03-26' : revision
    await using mcp = await connect(new URL(http.url), { use, revisions: [outer] })
    takeSpans()
    const { content } = await context.with(trace.setSpanContext(context.active(), origin), () =>
      mcp.tools.call('ask', {}),
    )
    const [, innermost, parent] = String((content[0] as { text: string }).text).split('-')
    assert.equal(innermost, traceId)
    const spans = takeSpans().filter(({ name }) => name === 'tools/call ask')
    assert.deepEqual([...new Set(spans.map((span) => span.spanContext().traceId))], [traceId])
    // first and second each serve and call; the innermost is another process, and was called by the last span here
    assert.equal(spans.length, 5)
    assert.ok(spans.some((span) => span.spanContext().spanId === parent))
  })
}
