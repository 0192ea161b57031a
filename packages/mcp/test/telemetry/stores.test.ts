import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, type Limiter, server } from '@trunkline/mcp'
import { memoryCluster, toFetch } from '@trunkline/mcp/http'
import { storeTelemetry } from '@trunkline/mcp/telemetry'
import { quiet } from '../fixtures/quiet.ts'
import { turnsUntil } from '../soon.ts'
import { allMetrics, counts } from './sdk.ts'

const facts = { epoch: 'one', server: 'measured', sealingKeys: ['k'] }
const text = async (): Promise<string> => JSON.stringify(await allMetrics())

/** Sum of a counter so far. */
async function countOf(name: string): Promise<number> {
  const scopes = (await allMetrics()) as readonly {
    readonly metrics: readonly {
      readonly descriptor: { readonly name: string }
      readonly dataPoints: readonly { readonly value: number }[]
    }[]
  }[]
  const metrics = scopes.flatMap((scope) => scope.metrics).filter(({ descriptor }) => descriptor.name === name)
  return metrics.flatMap(({ dataPoints }) => dataPoints).reduce((sum, { value }) => sum + value, 0)
}

test('storeTelemetry: records how long each operation of the stores took, those that fail by their error too', async () => {
  const limiter: Limiter = { take: () => Promise.reject(new TypeError('away')) }
  const measured = storeTelemetry({ ...memoryCluster(), limiter })
  await using app = toFetchOf(measured)
  await using mcp = await connect('http://localhost/mcp', {
    revisions: ['2025-11-25'],
    http: { fetch: (url, init) => app.handler(new Request(url, init)) },
  })
  await mcp.ping()
  const durations = await counts('mcp.server.store.duration')
  const operations = durations.map(({ attributes }) => (attributes as Record<string, string>)['mcp.store.operation'])
  for (const operation of ['sessions.save', 'sessions.version', 'presence.beat'])
    assert.ok(operations.includes(operation))
  assert.ok(durations.every(({ unit }) => unit === 's'))
  await assert.rejects(async () => measured.limiter.take([]), /away/)
  assert.match(await text(), /"limiter\.take","error\.type":"TypeError"/)
})

test('storeTelemetry: counts lost leases and gaps, and records how late entries were read', async () => {
  const stores = memoryCluster()
  const measured = storeTelemetry(stores)
  await turnsUntil(async () => {
    await measured.presence.beat(facts, 60_000)
    return (await text()).includes('presence.beat')
  }, 'the API to be loaded')
  await measured.inbox.post(['one'], JSON.stringify({ about: 'nothing' }))
  const [entry] = await measured.inbox.take('one', 0)
  assert.match(entry?.data ?? '', /^\{"about":"nothing","sentAt":\d+\}$/)
  assert.equal((await counts('mcp.server.inbox.lag'))[0]?.count, 1)
  const [lost, gaps] = [await countOf('mcp.server.lease.lost'), await countOf('mcp.server.change.gaps')]
  const before = performance.now()
  await turnsUntil(() => performance.now() - before > 2, 'two milliseconds')
  await measured.presence.beat(facts, 1)
  assert.equal(await countOf('mcp.server.lease.lost'), lost + 1)
  assert.equal(await measured.events.after('changes-x', 7), undefined)
  assert.equal(await countOf('mcp.server.change.gaps'), gaps + 1)
})

function toFetchOf(stores: ReturnType<typeof memoryCluster>) {
  const app = server({ name: 'measured', ...quiet }).tool('one', {}, () => '1')
  const handler = toFetch(app, { cluster: stores, drainMs: 1 })
  return {
    handler,
    async [Symbol.asyncDispose]() {
      await handler.close()
      await app.close()
    },
  }
}
