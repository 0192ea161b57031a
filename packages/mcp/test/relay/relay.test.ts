import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { type Client, type ClientOptions, connect, server } from '../../src/index.ts'
import { serveHttp } from '../../src/node.ts'
import { forwardedMeta } from '../../src/relay.ts'
import { turnsUntil } from '../soon.ts'
import { proxy } from './proxy.ts'

const handshake = ['2025-11-25']
const stateless = ['2026-07-28']
const shapes = { handshake, stateless } as const

function upstream() {
  const seen: { cancelled?: unknown; meta?: unknown; effects: number } = { effects: 0 }
  const definition = server({ name: 'upstream', version: '1.0.0', instructions: 'for anybody' })
    .tool('greet', { input: z.object({ greeting: z.string() }) }, async ({ greeting }, ctx) => {
      await ctx.once('count', () => {
        seen.effects += 1
      })
      const { name } = await ctx.elicit('Who?', z.object({ name: z.string() }))
      const { role } = await ctx.elicit(`What is ${name}?`, z.object({ role: z.string() }))
      await ctx.progress(1, 2, 'half')
      return `${greeting}, ${name} the ${role}`
    })
    .tool('hang', {}, async (_input, ctx) => {
      await ctx.progress(1)
      return new Promise<string>((resolve) => {
        ctx.signal.addEventListener('abort', () => {
          seen.cancelled = ctx.signal.reason
          resolve('stopped')
        })
      })
    })
    .tool('meta', {}, (_input, ctx) => {
      seen.meta = ctx.meta
      return 'ok'
    })
    .tool('fail', {}, () => {
      throw new Error('it broke')
    })
  return { definition, seen }
}

const answering: ClientOptions = {
  elicitation: ({ message }) => ({
    action: 'accept',
    content: message === 'Who?' ? { name: 'Ada' } : { role: message.includes('Ada') ? 'countess' : 'nobody' },
  }),
}

async function chain(front: keyof typeof shapes, back: keyof typeof shapes, over: 'memory' | 'http') {
  const { definition, seen } = upstream()
  const serving = over === 'http' ? await serveHttp(definition) : undefined
  const middle = await proxy(serving ? new URL(serving.url) : definition, { revisions: shapes[back] })
  const outer = over === 'http' ? await serveHttp(middle.relay) : undefined
  const dial = (options: ClientOptions = {}): Promise<Client> =>
    connect(outer ? new URL(outer.url) : middle.relay, { revisions: shapes[front], ...options })
  return {
    seen,
    middle,
    dial,
    async [Symbol.asyncDispose]() {
      await outer?.close()
      await middle[Symbol.asyncDispose]()
      await serving?.close()
      await definition.close()
    },
  }
}

const textOf = ({ content }: { content: readonly { type: string }[] }) =>
  content.map((block) => ('text' in block ? block.text : block.type)).join()

for (const over of ['memory', 'http'] as const) {
  for (const front of ['handshake', 'stateless'] as const) {
    for (const back of ['handshake', 'stateless'] as const) {
      describe(`relay over ${over}: ${front} caller, ${back} server`, () => {
        it('questions reach the caller and answers the server, in one call', async () => {
          await using all = await chain(front, back, over)
          await using mcp = await all.dial(answering)
          const reports: unknown[] = []
          const onProgress = (report: unknown) => reports.push(report)
          const result = await mcp.tools.call('greet', { greeting: 'Hello' }, { onProgress })
          assert.equal(textOf(result), 'Hello, Ada the countess')
          assert.equal(all.seen.effects, 1)
          const { progress, total, message } = reports.at(-1) as { [key: string]: unknown }
          assert.deepEqual({ progress, total, message }, { progress: 1, total: 2, message: 'half' })
          assert.equal(all.middle.parked.size, 0)
        })

        it('a cancel reaches the server', async () => {
          await using all = await chain(front, back, over)
          await using mcp = await all.dial()
          const stop = new AbortController()
          const onProgress = () => stop.abort(new Error('enough'))
          await assert.rejects(mcp.tools.call('hang', {}, { signal: stop.signal, onProgress }), /enough/)
          await turnsUntil(() => all.seen.cancelled !== undefined, 'the server to be told')
        })

        it('metadata of others passes, that of the hop does not', async () => {
          await using all = await chain(front, back, over)
          await using mcp = await all.dial()
          const meta = { 'example.com/x': 1, traceparent: '00-1', 'dev.trunkline/y': 2, progressToken: 'mine' }
          await mcp.request('tools/call', { name: 'meta', arguments: {} }, { meta })
          const seen = forwardedMeta(all.seen.meta as { [key: string]: unknown })
          assert.deepEqual(seen, { 'example.com/x': 1, traceparent: '00-1' })
          assert.equal('dev.trunkline/y' in (all.seen.meta as object), false)
        })

        it('failures of tools and refusals pass as they are', async () => {
          await using all = await chain(front, back, over)
          await using mcp = await all.dial()
          const failed = await mcp.tools.call('fail', {})
          assert.equal(failed.isError, true)
          await assert.rejects(mcp.prompts.get('none', {}), /does not offer|no such|not have/)
        })
      })
    }
  }
}

describe('relay', () => {
  it('tells each caller its own instructions, and its own name', async () => {
    await using all = await chain('stateless', 'stateless', 'memory')
    await using mcp = await all.dial({ info: { name: 'ada', version: '1' } })
    assert.equal(mcp.instructions, 'for ada')
    assert.equal(mcp.server?.name, 'proxy')
  })

  it('unknown fields pass through every revision', async () => {
    const { relay } = await import('../../src/relay.ts')
    const tool = { name: 'x', inputSchema: { type: 'object' }, vendor: { a: 1 } }
    const content = [{ type: 'text', text: 'y', vendor: 2 }]
    const front = relay({
      name: 'odd',
      version: '1',
      capabilities: { tools: {} },
      handle: ({ method }) => (method === 'tools/list' ? { tools: [tool] } : { content, vendor: 3 }),
    })
    for (const revision of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28']) {
      await using mcp = await connect(front, { revisions: [revision] })
      const [listed] = await mcp.tools.list().all()
      assert.deepEqual(listed, tool, revision)
      const result = await mcp.request('tools/call', { name: 'x' })
      assert.deepEqual([result.content, result.vendor], [content, 3], revision)
    }
    await front.close()
  })
})
