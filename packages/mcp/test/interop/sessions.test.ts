import '../no-leaks.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client as V2Client, StreamableHTTPClientTransport as V2Transport } from '@modelcontextprotocol/client'
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPClientTransport as V1Transport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { connect } from '@trunkline/mcp'
import { serveHttp } from '@trunkline/mcp/node'
import { until } from '../../../../tools/lib/until.ts'
import { tracked } from '../no-leaks.ts'
import { driverInfo } from './driver.ts'
import { all, handshakes } from './revisions.ts'
import { trunklineCafe } from './servers/trunkline.ts'
import { servers } from './transports/http/servers.ts'
import { hostV1Sse } from './transports/http/v1.ts'

const [newest] = all
const [handshake] = handshakes

/** Our server, the address of its stream, and how many talk with it. */
async function ours() {
  const cafe = tracked(trunklineCafe())
  const listening = await serveHttp(cafe, { sse: true })
  const url = new URL(listening.url)
  return { url, stream: new URL('/sse', url), cafe, [Symbol.asyncDispose]: () => listening.close() }
}

test('our server: a v1 client ends its session, which is then unknown', async () => {
  await using it = await ours()
  const transport = new V1Transport(it.url)
  const client = new V1Client(driverInfo)
  await client.connect(transport as Transport)
  const { sessionId = '' } = transport
  assert.equal(it.cafe.live.connections, 1)
  await transport.terminateSession()
  assert.equal(it.cafe.live.connections, 0)
  await client.close()
  const late = new V1Client(driverInfo)
  await late.connect(new V1Transport(it.url, { sessionId }) as Transport)
  await assert.rejects(late.listTools(), { code: 404 })
  await late.close()
})

test('our server: a v2 client ends its session', async () => {
  await using it = await ours()
  const transport = new V2Transport(it.url)
  const client = new V2Client(driverInfo, { supportedProtocolVersions: [handshake] })
  await client.connect(transport)
  assert.equal(it.cafe.live.connections, 1)
  await transport.terminateSession()
  assert.equal(it.cafe.live.connections, 0)
  await client.close()
})

test('our server: a v1 client that leaves its stream is gone', async () => {
  await using it = await ours()
  const client = new V1Client(driverInfo)
  await client.connect(new SSEClientTransport(it.stream))
  assert.equal(it.cafe.live.connections, 1)
  await client.close()
  await until(() => it.cafe.live.connections === 0, 'the client to be gone')
})

test('our server: a v2 client that may choose takes the newest revision', async () => {
  await using it = await ours()
  const client = new V2Client(driverInfo, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new V2Transport(it.url))
  assert.equal(client.getNegotiatedProtocolVersion(), newest)
  await client.close()
})

for (const { name, start, revisions } of servers) {
  test(`our client: finds the newest revision of ${name}`, async () => {
    await using host = await start()
    await using client = tracked(await connect(new URL(host.url)))
    assert.equal(client.revision, revisions[0])
    assert.equal((await client.tools.call('add', { a: 1, b: 1 })).isError ?? false, false)
  })

  test(`our client: ends its session with ${name} when it is closed`, async () => {
    await using host = await start()
    const client = tracked(await connect(new URL(host.url), { revisions: [handshake] }))
    assert.equal(host.sessions.size, 1)
    await client.close()
    await until(() => host.sessions.size === 0, 'the session to end')
  })
}

for (const { name, start } of servers.filter(({ start }) => start !== hostV1Sse)) {
  test(`our client: opens a new session when ${name} has forgotten it`, async () => {
    await using host = await start()
    await using client = tracked(await connect(new URL(host.url), { revisions: [handshake], cache: false }))
    host.sessions.clear()
    assert.ok((await client.tools.list().all()).length > 0)
    assert.equal(host.sessions.size, 1)
  })
}
