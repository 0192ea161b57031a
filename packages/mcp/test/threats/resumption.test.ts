/** Streams that break again and again: a client that comes back gets the rest, without a gap and nothing twice. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { type Change, connect, server } from '@trunkline/mcp'
import { serveHttp } from '@trunkline/mcp/node'
import { quiet } from '../fixtures/quiet.ts'
import { HastyClock } from '../hasty-clock.ts'
import { Mailbox } from '../mailbox.ts'
import { numbers } from '../properties/turns.ts'
import { cut, FaultProxy, reset, slicer } from './fault-proxy.ts'

const steps = 150
const uris = Array.from({ length: 100 }, (_, at) => `test:${at}`)

const counter = () => {
  const definition = server({ name: 'counter', ...quiet }).tool('count', {}, async (_, ctx) => {
    for (let step = 1; step <= steps; step++) {
      await ctx.progress(step)
      if (step % 10 === 0) await setImmediate()
    }
    return 'counted'
  })
  for (const uri of ['test:first', ...uris]) definition.resource(uri, {}, () => uri)
  return definition
}

/** A client whose every connection breaks after some bytes, and the server at the other end. */
async function open(revision: string, seed: number) {
  const definition = counter()
  const listening = await serveHttp(definition)
  const proxy = await FaultProxy.to(Number(new URL(listening.url).port))
  const below = numbers(seed)
  let [isBad, isWorse] = [false, false]
  proxy.faults = () => {
    const after = 700 + below(2_500)
    const end = isWorse && below(2) === 1 ? reset(after) : cut(after)
    return isBad ? { down: [slicer(1 + below(100)), end] } : {}
  }
  const client = await connect(`http://127.0.0.1:${proxy.port}/mcp`, {
    revisions: [revision],
    http: {
      clock: new HastyClock(),
      fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, connection: 'close' } }),
    },
  })
  return {
    definition,
    client,
    proxy,
    /** From now on every connection is cut. */
    spoil: () => {
      isBad = true
    },
    /** From now on some are reset instead, which may take back what has arrived. */
    worsen: () => {
      isWorse = true
    },
    async [Symbol.asyncDispose]() {
      isBad = false
      await client.close()
      await proxy[Symbol.asyncDispose]()
      await listening.close()
    },
  }
}

const seeds = [1, 2, 3]

for (const revision of ['2025-11-25', '2025-06-18', '2025-03-26']) {
  test(`Session.resume in ${revision}: all that is said about a request arrives once and in order`, async (t) => {
    for (const seed of seeds) {
      await using line = await open(revision, seed)
      const { client, proxy } = line
      line.spoil()
      const before = proxy.connections
      const heard: number[] = []
      const onProgress = ({ progress }: { progress: number }): void => {
        heard.push(progress)
        // without a first event a client cannot come back
        line.worsen()
      }
      const { content } = await client.tools.call('count', {}, { onProgress })
      assert.deepEqual(content, [{ type: 'text', text: 'counted' }])
      assert.deepEqual(
        heard,
        Array.from({ length: steps }, (_, at) => at + 1),
        `seed ${seed}`,
      )
      t.diagnostic(`${proxy.connections - before} connections`)
      assert.ok(proxy.connections - before > 5)
    }
  })

  test(`Session.resume in ${revision}: all that is said about no request arrives once and in order`, async (t) => {
    for (const seed of seeds) {
      await using line = await open(revision, seed)
      const { client, proxy, definition } = line
      const heard = new Mailbox<string>()
      const onChange = (change: Change): void => {
        if (change.kind === 'resource') heard.put(change.uri)
      }
      await client.watch({ uris: ['test:first', ...uris] }, onChange)
      // a client that was told an event can say where to go on
      definition.resources.updated('test:first')
      assert.equal(await heard.take(), 'test:first')
      line.spoil()
      line.worsen()
      proxy.breakAll()
      const before = proxy.connections
      for (const uri of uris) {
        definition.resources.updated(uri)
        await setImmediate()
      }
      for (const uri of uris) assert.equal(await heard.take(), uri, `seed ${seed}`)
      assert.equal(heard.size, 0)
      t.diagnostic(`${proxy.connections - before} connections`)
      assert.ok(proxy.connections - before > 3)
    }
  })
}
