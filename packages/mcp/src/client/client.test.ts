import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { connect } from '../connect.ts'
import { controlMethods } from '../model/control-methods.ts'
import type { Channel } from '../rpc/channel.ts'
import { Peer } from '../rpc/peer.ts'
import { server } from '../server/server.ts'
import { everyRevision, join } from '../testing/revisions.ts'
import { memoryPair } from '../transports/memory.ts'
import type { Fields, Message, RequestMessage } from '../wire/messages.ts'
import type { ClientOptions } from './client-options.ts'
import { open } from './open.ts'

/** A client of a server that is only a table of results; what it is not asked for, it refuses. */
async function clientOf(results: { readonly [method: string]: Fields }, options: ClientOptions = {}) {
  const [near, far] = memoryPair()
  const warnings: string[] = []
  far.open({
    message(message) {
      const { id, method } = message as RequestMessage
      const hello = {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'x', version: '1' },
      }
      const result = method === 'initialize' ? hello : results[method]
      if (id === undefined) return
      void far.send(
        (result
          ? { jsonrpc: '2.0', id, result }
          : { jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }) as Message,
      )
    },
    malformed() {},
    failed() {},
    ended: async () => {},
    closed() {},
  })
  const client = await open(() => near, { onWarning: (warning) => warnings.push(warning), ...options })
  return { client, warnings, [Symbol.asyncDispose]: () => client.close() }
}

test('a list survives a malformed entry, and says which one it left out', async () => {
  const good = { name: 'good', inputSchema: { type: 'object' } }
  await using old = await clientOf({ 'tools/list': { tools: [good, { name: 'bad' }, 7] } })
  assert.deepEqual(await old.client.tools.list().all(), [good])
  assert.deepEqual(old.warnings, [
    'Left out tools[1] "bad": inputSchema is required',
    'Left out tools[2]: must be an object',
  ])
})

for (const [revision, opening] of [
  ['2025-11-25', 'initialize'],
  ['2026-07-28', 'server/discover'],
] as const) {
  test(`a capability that cannot be read costs its own feature, and is named (${revision})`, async () => {
    const warnings: string[] = []
    const [near, far] = memoryPair()
    const capabilities = { tools: { listChanged: 'yes' }, prompts: {}, resources: true }
    const hello = {
      capabilities,
      ...(opening === 'initialize'
        ? { protocolVersion: revision, serverInfo: { name: 'x', version: '1' } }
        : { supportedVersions: [revision], ttlMs: 0, cacheScope: 'private', resultType: 'complete' }),
    }
    const request = (): Fields => hello
    new Peer(far, { control: controlMethods, request, notification: () => {} })
    await using mcp = await open(() => near, { revisions: [revision], onWarning: (warning) => warnings.push(warning) })
    assert.deepEqual(mcp.capabilities, { prompts: {} })
    assert.deepEqual(warnings, [
      'Left out capability "tools": tools.listChanged must be true or false',
      'Left out capability "resources": resources must be an object',
    ])
  })
}

test('an answer of the wrong shape is an error that names the field', async () => {
  await using old = await clientOf({ 'tools/call': { content: 'text' } })
  await assert.rejects(old.client.tools.call('x', {}), {
    code: 'InvalidResponse',
    message: 'Cannot read the answer to "tools/call": content must be an array, or task is required',
  })
})

test('the result of a tool is checked by the output schema it was listed with', async () => {
  const tool = {
    name: 'x',
    inputSchema: { type: 'object' },
    outputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
  }
  await using old = await clientOf({
    'tools/list': { tools: [tool] },
    'tools/call': { content: [], structuredContent: { n: 'one' } },
  })
  await old.client.tools.list().all()
  await assert.rejects(old.client.tools.call('x', {}), {
    code: 'InvalidResponse',
    message: /Cannot use what tool "x" returned: n: must be a number/,
  })
})

test('a tool whose output schema cannot be used is called all the same, with a warning', async () => {
  const tool = {
    name: 'x',
    inputSchema: { type: 'object' },
    outputSchema: { type: 'object', $ref: 'http://127.0.0.1:9/x' },
  }
  await using old = await clientOf({ 'tools/list': { tools: [tool] }, 'tools/call': { content: [] } })
  await old.client.tools.list().all()
  assert.deepEqual(await old.client.tools.call('x', {}), { content: [] })
  assert.match(old.warnings[0] ?? '', /Cannot check what tool "x" returns/)
})

test('interceptors see every request, the first outermost', async () => {
  const seen: string[] = []
  const cafe = server({ name: 'cafe', version: '1' }).tool('x', {}, () => 'x')
  const use = ['outer', 'inner'].map(
    (mark) => (next: (request: { method: string }) => Promise<Fields>) => (request: { method: string }) => {
      seen.push(`${mark} ${request.method}`)
      return next(request)
    },
  )
  await using pair = await join(cafe, { use: use as never })
  await pair.client.tools.call('x', {})
  assert.deepEqual(seen, ['outer tools/call', 'inner tools/call'])
})

test('metadata and trace context reach the handler', async () => {
  const cafe = server({ name: 'cafe', version: '1' }).tool('x', {}, (_, ctx) => String(ctx.meta.traceparent))
  await everyRevision(cafe, async ({ client }) => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const { content } = await client.tools.call('x', {}, { meta: { traceparent } })
    assert.deepEqual(content, [{ type: 'text', text: traceparent }])
  })
})

test('a form is completed with its defaults, and an answer that the form does not allow is not sent', async () => {
  const cafe = server({ name: 'cafe', version: '1', onWarning: () => {} }).tool('ask', {}, async (_, ctx) =>
    ctx.elicit('How many?', z.object({ cups: z.number().int().min(1).max(3).default(2), milk: z.boolean() })),
  )
  await using good = await join(cafe, { elicitation: () => ({ action: 'accept', content: { milk: true } }) })
  assert.deepEqual((await good.client.tools.call('ask', {})).structuredContent, { cups: 2, milk: true })
  await using bad = await join(cafe, { elicitation: () => ({ action: 'accept', content: { cups: 9, milk: true } }) })
  await assert.rejects(bad.client.tools.call('ask', {}), {
    code: 'Misuse',
    message: /Cannot answer the form: cups: must be at most 3/,
  })
})

test('a call of a name, an argument or a result that the server does not have does not compile', async () => {
  const cafe = server({ name: 'cafe', version: '1' }).tool(
    'order',
    { input: z.object({ coffee: z.string() }), output: z.object({ euros: z.number() }) },
    () => ({ euros: 3 }),
  )
  await using pair = await join(cafe)
  const { structuredContent } = await pair.client.tools.call('order', { coffee: 'cortado' })
  const euros: number | undefined = structuredContent?.euros
  assert.equal(euros, 3)
  // @ts-expect-error there is no such tool
  await assert.rejects(pair.client.tools.call('orders', { coffee: 'cortado' }))
  // @ts-expect-error there is no such argument
  assert.equal((await pair.client.tools.call('order', { tea: 'green' })).isError, true)
  // @ts-expect-error there is no such member
  assert.equal(structuredContent?.dollars, undefined)
})

test('connect: `through` sees the messages of each channel that is opened', async () => {
  const cafe = server({ name: 'cafe', version: '1' }).tool('menu', {}, () => 'cortado')
  const sent: unknown[] = []
  const look = (channel: Channel): Channel => ({
    open: (receiver) => channel.open(receiver),
    send(message, options) {
      sent.push((message as RequestMessage).method)
      return channel.send(message, options)
    },
    close: () => channel.close(),
  })
  await using client = await connect(cafe, { through: look })
  await client.tools.call('menu', {})
  assert.ok(sent.includes('tools/call'))
})
