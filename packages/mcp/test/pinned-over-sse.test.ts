import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, server } from '../src/index.ts'
import { serveHttp } from '../src/node.ts'
import { sseChannel } from '../src/transports/http/client/sse-channel.ts'

test('connect: over HTTP+SSE a client without a handshake is told both ways out; others connect', async () => {
  const definition = server({ name: 'old', version: '1.0.0' }).tool('hello', {}, () => 'hello')
  await using served = await serveHttp(definition, { port: 0, sse: true })
  const address = new URL('/sse', served.url)
  for (const target of [address, () => sseChannel(address)]) {
    await assert.rejects(
      connect(target, { revisions: ['2026-07-28'] }),
      /HTTP\+SSE.*: offer an older revision as well, or use the server's address for Streamable HTTP$/,
    )
    await using client = await connect(target)
    assert.deepEqual((await client.tools.call('hello', {})).content, [{ type: 'text', text: 'hello' }])
  }
})
