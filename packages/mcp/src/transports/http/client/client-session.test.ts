import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import '../../../../test/no-leaks.ts'
import { HastyClock } from '../../../../test/hasty-clock.ts'
import { type Answering, event, events, result, type Seen } from '../../../../test/scripted-http.ts'
import {
  accept,
  answer,
  asking,
  greeting,
  inTurn,
  isGet,
  refuse,
  revision,
  sessionOf,
  shaken,
  status,
} from '../../../../test/shaken.ts'
import { soon } from '../../../../test/soon.ts'
import type { HeaderRecord } from './http-channel-options.ts'

const notice = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' } as const

test('session: its id and the version agreed on go with everything after the handshake', async () => {
  await using it = await shaken({ post: answer, delete: accept })
  it.channel.send(asking('tools/list', 1))
  await it.receiver.received(1)
  await it.channel.send({ jsonrpc: '2.0', id: 'theirs', result: {} })
  await it.channel.close()
  const told = it.server.seen.map(({ method, headers, body }) => [
    body.method ?? method,
    headers['mcp-session-id'],
    headers['mcp-protocol-version'],
  ])
  const after = ['session-1', revision]
  const byName = (a: unknown[], b: unknown[]): number => String(a[0]).localeCompare(String(b[0]))
  assert.deepEqual(
    told.sort(byName),
    [
      ['initialize', undefined, undefined],
      ['notifications/initialized', ...after],
      ['GET', ...after],
      ['tools/list', ...after],
      ['POST', ...after],
      ['DELETE', ...after],
    ].sort(byName),
  )
  for (const { headers } of it.server.seen) assert.equal(headers['mcp-method'], undefined)
})

test('session: a server without sessions is not sent one, nor told of its end', async () => {
  await using it = await shaken({ sessionId: () => undefined, post: answer })
  it.channel.send(asking('tools/call', 1))
  await it.receiver.received(1)
  await it.server.request(isGet)
  await it.channel.close()
  for (const { headers, method } of it.server.seen) {
    assert.equal(headers['mcp-session-id'], undefined)
    assert.notEqual(method, 'DELETE')
  }
  assert.equal(it.server.seen.at(-1)?.headers['mcp-protocol-version'], revision)
})

test('session: the answer to the handshake may come on a stream', async () => {
  const initialize = (seen: Seen, response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'mcp-session-id': 'streamed' })
    response.end(event(result(seen, greeting)))
  }
  await using it = await shaken({ initialize, post: answer })
  it.channel.send(asking('ping', 1))
  await it.receiver.received(1)
  assert.equal(sessionOf(it.server.seen.at(-1) as Seen), 'streamed')
})

test('session: messages that the server sends unasked arrive, and can be answered', async () => {
  const question = { jsonrpc: '2.0', id: 7, method: 'roots/list' }
  const get: Answering = (_, response) => void events(response, event(notice), event(question))
  await using it = await shaken({ get })
  assert.deepEqual(await it.receiver.received(2), [notice, question])
  assert.equal((await it.server.request(isGet)).headers.accept, 'text/event-stream')
  await it.channel.send({ jsonrpc: '2.0', id: 7, result: { roots: [] } })
  assert.deepEqual(it.server.seen.at(-1)?.body.result, { roots: [] })
})

for (const code of [404, 405]) {
  test(`session: ${code} to listening means that there is nothing to listen to`, async () => {
    const clock = new HastyClock()
    await using it = await shaken({ get: status(code), post: answer }, { clock })
    await it.server.request(isGet)
    it.channel.send(asking('tools/list', 1))
    await it.receiver.received(1)
    assert.deepEqual(it.receiver.reasons, [])
    assert.deepEqual(clock.waits, [])
    assert.equal(it.server.seen.filter(isGet).length, 1)
  })
}

test('session: a refused notification is an error of its sender', async () => {
  await using it = await shaken({ post: inTurn(accept, status(400)) })
  await assert.rejects(Promise.resolve(it.channel.send(notice)), { code: 'Http', status: 400, outcome: 'Rejected' })
})

test('session: an answer is sent again until it is accepted, when the connection breaks or the server is away', async () => {
  const clock = new HastyClock()
  const drop: Answering = (_, response) => void response.socket?.destroy()
  const away = status(503, { 'retry-after': '3' })
  await using it = await shaken({ post: inTurn(accept, drop, away, accept) }, { clock })
  const answer = { jsonrpc: '2.0', id: 'theirs', result: {} } as const
  await it.channel.send(answer)
  const sent = it.server.seen.filter(({ body }) => String(body.id) === 'theirs')
  assert.deepEqual(
    sent.map(({ body }) => body),
    [answer, answer, answer],
  )
  assert.deepEqual(clock.waits, [500, 6_000])
})

test('session: an answer that is refused is not sent again, and one that never arrives is given up', async () => {
  const clock = new HastyClock()
  const answer = { jsonrpc: '2.0', id: 'theirs', result: {} } as const
  await using refusing = await shaken({ post: inTurn(accept, status(400)) }, { clock })
  await assert.rejects(Promise.resolve(refusing.channel.send(answer)), { status: 400, outcome: 'Rejected' })
  assert.deepEqual(clock.waits, [])
  await using away = await shaken({ post: inTurn(accept, status(503)) }, { clock, reconnect: { maxTries: 2 } })
  await assert.rejects(Promise.resolve(away.channel.send(answer)), { status: 503, outcome: 'Unknown' })
  assert.deepEqual(clock.waits, [500, 1_000])
})

test('session: abandoning a request tells the server, and then lets go of the connection', async () => {
  const post: Answering = (seen, response) => (seen.body.id === undefined ? accept(seen, response) : undefined)
  await using it = await shaken({ post })
  it.channel.send(asking('tools/call', 4))
  const call = await it.server.request(({ body }) => body.id === 4)
  it.channel.abandon?.(4, 'enough')
  const { body } = await it.server.request(({ body }) => body.method === 'notifications/cancelled')
  assert.deepEqual(body.params, { requestId: 4, reason: 'enough' })
  await call.whenGone
  assert.deepEqual(it.receiver.failures, [])
})

test('session: a server that takes no note of a cancellation does not keep the connection', async () => {
  await using it = await shaken({ post: inTurn(accept, () => {}) }, { closeMs: 1 })
  it.channel.send(asking('tools/call', 4))
  const call = await it.server.request(({ body }) => body.id === 4)
  it.channel.abandon?.(4)
  await soon(call.whenGone, 'the connection of the call to end')
  const told = it.server.seen.filter(({ body }) => body.method === 'notifications/cancelled')
  assert.deepEqual(
    told.map(({ body }) => body.params?.requestId),
    [4],
  )
  await soon(told[0]?.whenGone ?? Promise.reject(new Error('nothing was told')), 'the connection of the notice to end')
})

for (const [how, ending] of Object.entries<Answering>({
  'accepts it': accept,
  'has no such thing': refuse,
  'does not answer': () => {},
  'drops the connection': (_, response) => void response.socket?.destroy(),
})) {
  test(`session: its end is told to a server that ${how}`, async () => {
    await using it = await shaken({ delete: ending }, { closeMs: 1_000 })
    await it.channel.close()
    assert.deepEqual(it.receiver.reasons, [undefined])
    const { method, headers } = it.server.seen.at(-1) as Seen
    assert.equal(method, 'DELETE')
    assert.equal(headers['mcp-session-id'], 'session-1')
  })
}

test('session: headers that never come do not keep a channel from closing', async () => {
  let isStuck = false
  const headers = (): Promise<HeaderRecord> => (isStuck ? new Promise(() => {}) : Promise.resolve({}))
  await using it = await shaken({}, { headers, closeMs: 1 })
  isStuck = true
  it.channel.send(asking('tools/list', 1))
  await it.channel.close()
  assert.deepEqual(it.receiver.reasons, [undefined])
})
