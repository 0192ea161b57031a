/** Connections that break at every byte: a tool runs at most once, and what its caller is told fits what was done. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Client, connect, server, TrunklineError } from '@trunkline/mcp'
import { serveHttp } from '@trunkline/mcp/node'
import { isLong } from '../../../../tools/lib/long-form.ts'
import { quiet } from '../fixtures/quiet.ts'
import { HastyClock } from '../hasty-clock.ts'
import { cut, FaultProxy, type Faults, latency, reset, slicer, type Toxic } from './fault-proxy.ts'

const input = { type: 'object', properties: { nonce: { type: 'integer' } }, required: ['nonce'] } as const

/** A client at the other end of a bad line to a server that writes down what it does. */
async function open(revision: string) {
  const journal = new Map<number, number>()
  const done = (nonce: number): number => journal.get(nonce) ?? 0
  const definition = server({ name: 'journal', ...quiet })
    .tool('plain', { input }, ({ nonce }) => {
      journal.set(nonce, done(nonce) + 1)
      return `${nonce}`
    })
    .tool('streamed', { input }, async ({ nonce }, ctx) => {
      journal.set(nonce, done(nonce) + 1)
      await ctx.progress(1)
      await ctx.progress(2)
      return `${nonce}`
    })
  const listening = await serveHttp(definition)
  const proxy = await FaultProxy.to(Number(new URL(listening.url).port))
  const client = await connect(`http://127.0.0.1:${proxy.port}/mcp`, {
    revisions: [revision],
    // a connection of its own for each request, so that it is known which one breaks
    http: {
      clock: new HastyClock(),
      fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, connection: 'close' } }),
    },
  })
  await client.tools.list().all()
  return {
    client: client as Client,
    proxy,
    done,
    async [Symbol.asyncDispose]() {
      await client.close()
      await proxy[Symbol.asyncDispose]()
      await listening.close()
    },
  }
}

type Line = Awaited<ReturnType<typeof open>>

/** Calls while something happens to the next connection, and tells what became of it. */
async function outcome({ client, proxy }: Line, tool: string, nonce: number, faults: Faults): Promise<string> {
  const next = proxy.connections
  proxy.faults = (connection) => (connection === next ? faults : {})
  try {
    const { content } = await client.tools.call(tool, { nonce }, { onProgress: () => {} })
    assert.deepEqual(content, [{ type: 'text', text: `${nonce}` }])
    return 'Answered'
  } catch (error) {
    assert.ok(error instanceof TrunklineError, `${error}`)
    return `${error.outcome}`
  }
}

/** Bytes that a call takes, each way. */
async function measured(line: Line, tool: string): Promise<{ up: number; down: number }> {
  const count = { up: 0, down: 0 }
  const counting = (way: 'up' | 'down'): Toxic =>
    async function* (bytes) {
      for await (const piece of bytes) {
        count[way] += piece.length
        yield piece
      }
    }
  assert.equal(await outcome(line, tool, -1, { up: [counting('up')], down: [counting('down')] }), 'Answered')
  return count
}

interface Plan {
  readonly revision: string
  readonly tool: string
  readonly toxic: (after: number) => Toxic
  /** Outcome that a caller sees when its answer breaks off. */
  readonly brokenOff: string
}

/** Bytes between two places to break at. */
const step = isLong ? 1 : 7

const plans: readonly Plan[] = [
  { revision: '2026-07-28', tool: 'plain', toxic: cut, brokenOff: 'Unknown' },
  { revision: '2026-07-28', tool: 'streamed', toxic: cut, brokenOff: 'Unknown' },
  { revision: '2026-07-28', tool: 'plain', toxic: reset, brokenOff: 'Unknown' },
  { revision: '2025-11-25', tool: 'plain', toxic: cut, brokenOff: 'Unknown' },
  // a client that was told an event can come back for the rest
  { revision: '2025-11-25', tool: 'streamed', toxic: cut, brokenOff: 'Answered' },
]

for (const { revision, tool, toxic, brokenOff } of plans) {
  test(`tools.call in ${revision}: a ${tool} call that is broken by ${toxic.name} at every ${step === 1 ? 'byte' : `${step}th byte`} runs at most once`, async (t) => {
    await using line = await open(revision)
    const { up, down } = await measured(line, tool)
    const seen = new Map<string, number>()
    let nonce = 0
    for (let at = 0; at < up; at += step) {
      const told = await outcome(line, tool, ++nonce, { up: [toxic(at)] })
      assert.notEqual(told, 'Answered')
      assert.equal(line.done(nonce), 0, `${told} after ${at} of ${up} bytes of the request`)
    }
    for (let at = 1; at < down; at += step) {
      const told = await outcome(line, tool, ++nonce, { down: [toxic(at)] })
      seen.set(told, (seen.get(told) ?? 0) + 1)
      assert.equal(line.done(nonce), 1, `${told} after ${at} of ${down} bytes of the answer`)
      assert.ok(told === 'Unknown' || told === 'Answered', told)
    }
    t.diagnostic(`${nonce} calls; answers that broke off: ${JSON.stringify(Object.fromEntries(seen))}`)
    assert.ok((seen.get(brokenOff) ?? 0) > down / step / 4)
    assert.equal(await outcome(line, tool, ++nonce, {}), 'Answered')
  })
}

test('tools.call: a call that never left can be repeated, and says so', async () => {
  await using line = await open('2026-07-28')
  const { proxy } = line
  await proxy[Symbol.asyncDispose]()
  assert.equal(await outcome(line, 'plain', 1, {}), 'NotSent')
  assert.equal(line.done(1), 0)
})

test('tools.call: a slow line, or one that passes byte by byte, changes nothing', async () => {
  for (const revision of ['2026-07-28', '2025-11-25']) {
    await using line = await open(revision)
    for (const [nonce, toxics] of [[slicer(1)], [latency(5)], [slicer(7), latency(1)]].entries()) {
      assert.equal(await outcome(line, 'streamed', nonce, { up: toxics, down: toxics }), 'Answered')
      assert.equal(line.done(nonce), 1)
    }
  }
})
