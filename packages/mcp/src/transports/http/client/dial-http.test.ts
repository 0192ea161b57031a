import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import {
  type Answering,
  error,
  event,
  events,
  json,
  plain,
  result,
  type Scripted,
  type Seen,
  scripted,
} from '../../../../test/scripted-http.ts'
import '../../../../test/no-leaks.ts'
import { lacking } from '../../../../../../tools/lib/needs.ts'
import { socketServer } from '../../../../test/socket-server.ts'
import { open } from '../../../client/open.ts'
import { dialHttp } from './dial-http.ts'

const oldest = '2024-11-05'
const greeting = { protocolVersion: oldest, capabilities: { tools: {} }, serverInfo: { name: 'oldest', version: '1' } }

/** A server of the oldest kind: a stream at one address, which names the other. */
function oldestServer(refuse: Answering): Promise<Scripted> {
  let stream: ServerResponse | undefined
  const answers: { readonly [method: string]: (seen: Seen) => unknown } = {
    initialize: (seen) => result(seen, greeting),
    'tools/list': (seen) => result(seen, { tools: [] }),
  }
  return scripted((seen, response) => {
    if (seen.method === 'GET') stream = events(response, 'event: endpoint\ndata: /messages\n\n')
    else if (seen.path !== '/messages') refuse(seen, response)
    else {
      plain(response, 202, 'Accepted')
      const answer = answers[seen.body.method ?? '']
      if (answer) stream?.write(`event: message\n${event(answer(seen))}`)
    }
  })
}

const refusals: { readonly [what: string]: Answering } = {
  '400 and nothing': (_, response) => plain(response, 400),
  '404 and a page': (_, response) => plain(response, 404, '<html></html>', 'text/html'),
  '405 and JSON that is no message': (_, response) => json(response, { error: 'Method not allowed' }, 405),
}

for (const [what, refuse] of Object.entries(refusals)) {
  test(`dialHttp: ${what} leads to the stream that names another address`, async () => {
    await using server = await oldestServer(refuse)
    await using client = await open(dialHttp(server.url))
    assert.equal(client.revision, oldest)
    assert.deepEqual(await client.tools.list().all(), [])
    const posted = server.seen.filter(({ path }) => path === '/messages').map(({ body }) => body.method)
    assert.deepEqual(posted, ['initialize', 'notifications/initialized', 'tools/list'])
  })
}

test('dialHttp: cancelling reaches a server of the oldest kind as a notification', async () => {
  await using server = await oldestServer(refusals['405 and JSON that is no message'] as Answering)
  await using client = await open(dialHttp(server.url))
  const stop = new AbortController()
  const call = client.tools.call('hang', {}, { signal: stop.signal })
  const { body } = await server.request((seen) => seen.body.method === 'tools/call')
  stop.abort(new Error('enough'))
  await assert.rejects(call, /enough/)
  const cancelled = await server.request((seen) => seen.body.method === 'notifications/cancelled')
  assert.deepEqual(cancelled.body.params, { requestId: body.id, reason: 'enough' })
})

test('dialHttp: the end of the stream is the end of the connection', async () => {
  const server = await oldestServer(refusals['400 and nothing'] as Answering)
  await using client = await open(dialHttp(server.url))
  await server[Symbol.asyncDispose]()
  assert.match(String(await client.whenClosed), /ended the connection/)
})

test('dialHttp: where there is no stream either, the first refusal is what is reported', async () => {
  await using server = await scripted((seen, response) => plain(response, seen.method === 'GET' ? 406 : 404))
  await assert.rejects(open(dialHttp(server.url)), {
    code: 'Http',
    status: 404,
    message: `Cannot send "initialize" to ${server.url}: the server answered 404 Not Found`,
  })
  assert.equal(server.seen.filter(({ method }) => method === 'GET').length, 1)
})

test('dialHttp: a protocol error is an answer, and no stream is looked for', async () => {
  await using server = await scripted((seen, response) => json(response, error(seen, -32602), 400))
  await assert.rejects(open(dialHttp(server.url)), { name: 'RpcError', code: -32602 })
  assert.deepEqual(
    server.seen.filter(({ method }) => method === 'GET'),
    [],
  )
})

for (const status of [401, 403, 500]) {
  test(`dialHttp: ${status} is no reason to look for a stream`, async () => {
    await using server = await oldestServer((_, response) => plain(response, status))
    await assert.rejects(open(dialHttp(server.url)), { code: 'Http', status })
    assert.deepEqual(
      server.seen.filter(({ method }) => method === 'GET'),
      [],
    )
  })
}

test('dialHttp: closing while a stream is looked for ends everything', async () => {
  await using server = await scripted((seen, response) => void (seen.method === 'POST' && plain(response, 405)))
  const channel = dialHttp(server.url)()
  const reasons: unknown[] = []
  const ignore = (): void => {}
  channel.open({
    message: ignore,
    malformed: ignore,
    failed: ignore,
    ended: () => Promise.resolve(),
    closed: (reason) => reasons.push(reason),
  })
  channel.send({ jsonrpc: '2.0', id: 1, method: 'initialize' })
  const get = await server.request(({ method }) => method === 'GET')
  await channel.close()
  await get.whenGone
  assert.deepEqual(reasons, [undefined])
})

test('dialHttp: a single endpoint stays one, and the channel can be dialled again', async () => {
  await using server = await scripted((seen, response) => {
    if (seen.method !== 'POST') return plain(response, 405)
    if (seen.body.method === 'initialize')
      return json(response, result(seen, { ...greeting, protocolVersion: '2025-06-18' }))
    plain(response, seen.body.id === undefined ? 202 : 400)
  })
  const dial = dialHttp(server.url)
  for (const _ of [1, 2]) {
    await using client = await open(dial)
    assert.equal(client.revision, '2025-06-18')
  }
})

test('dialHttp: takes a WebSocket where the address is one', {
  skip: lacking('websocket', globalThis.WebSocket !== undefined),
}, async () => {
  await using server = await socketServer((end) => {
    end.agree()
    void (async () => {
      for (let at = 0; ; at++) {
        await end.until(() => end.received.length > at)
        const { id, method } = JSON.parse(end.received[at] as string)
        const failure = { code: -32601, message: 'No' }
        if (method === 'initialize') end.send(JSON.stringify({ jsonrpc: '2.0', id, result: greeting }))
        else if (id !== undefined) end.send(JSON.stringify({ jsonrpc: '2.0', id, error: failure }))
      }
    })()
  })
  await using client = await open(dialHttp(server.url))
  assert.equal(client.revision, oldest)
})
