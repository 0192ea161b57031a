/** Serving in a cluster: what is refused at the start. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import '../no-leaks.ts'
import { serve, server } from '@trunkline/mcp'
import { MemoryEventStore, MemorySessionStore, memoryCluster, toFetch } from '@trunkline/mcp/http'
import { serveHttp, toNode } from '@trunkline/mcp/node'
import { relay } from '@trunkline/mcp/relay'
import { quiet } from '../fixtures/quiet.ts'
import { faceAt, openSession } from '../threats/faces.ts'

const weather = () => server({ name: 'weather', ...quiet })

test('cluster: the lines of the guide start two processes of one server', async () => {
  // region serve
  const cluster = memoryCluster()
  await using one = await serve(weather(), { http: 0, cluster })
  await using other = await serve(weather(), { http: 0, cluster })
  // endregion
  const session = await openSession(faceAt(one.url))
  assert.equal((await fetch(other.url, { method: 'DELETE', headers: session })).status, 200)
})

test('cluster: stores of one process beside it are refused by name', () => {
  const cluster = memoryCluster()
  const store = { store: new MemorySessionStore() }
  assert.throws(() => toFetch(weather(), { cluster, sessions: store }), /"sessions.store" is given too/)
  const events = { events: new MemoryEventStore() }
  assert.throws(() => toNode(weather(), { cluster, sessions: events }), /"sessions.events" is given too/)
})

test('cluster: a pipe, a relay, and a server that is in a cluster already are refused', async () => {
  const cluster = memoryCluster()
  await assert.rejects(serve(weather(), { cluster }), /Cannot serve over stdio in a cluster: .*give "http"/)
  const other = relay({ name: 'other', version: '1', capabilities: {}, handle: async () => ({}) })
  assert.throws(() => toFetch(other, { cluster }), /Cannot serve in a cluster: a relay has one process/)
  const twice = weather()
  await using _ = await serveHttp(twice, { cluster })
  await assert.rejects(serveHttp(twice, { cluster }), /this server is in one already/)
})

test('cluster: a server without keys of its own does not start', async () => {
  const { keys, ...rest } = quiet
  const keyless = server({ name: 'weather', ...rest })
  await assert.rejects(serveHttp(keyless, { cluster: memoryCluster() }), /Cannot join the cluster: .*no "keys"/)
})
