import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import '../../../../test/no-leaks.ts'
import { HastyClock } from '../../../../test/hasty-clock.ts'
import { type Answering, error, event, json, plain, result, type Seen } from '../../../../test/scripted-http.ts'
import {
  accept,
  answer,
  asking,
  greeting,
  inTurn,
  isGet,
  sessionOf,
  shaken,
  status,
  streaming,
} from '../../../../test/shaken.ts'

/** Knows every session but the first one, of which it knows only the handshake. */
const forgetful: Answering = (seen, response) =>
  sessionOf(seen) === 'session-1' && seen.body.method !== 'notifications/initialized'
    ? json(response, { jsonrpc: '2.0', id: null, error: { code: -32001, message: 'Session not found' } }, 404)
    : answer(seen, response)

const methodOf = ({ body }: Seen) => body.method
const isOpening = ({ body }: Seen): boolean => body.method === 'initialize'

test('renew: a session that is gone is opened again, and what can be repeated is', async () => {
  await using it = await shaken({ post: forgetful })
  it.channel.send(asking('tools/list', 1))
  assert.deepEqual(await it.receiver.received(1), [{ jsonrpc: '2.0', id: 1, result: {} }])
  it.channel.send(asking('tools/call', 2))
  await it.receiver.received(2)
  assert.deepEqual(
    it.server.seen.filter(({ method }) => method === 'POST').map((seen) => [methodOf(seen), sessionOf(seen)]),
    [
      ['initialize', undefined],
      ['notifications/initialized', 'session-1'],
      ['tools/list', 'session-1'],
      ['initialize', undefined],
      ['notifications/initialized', 'session-2'],
      ['tools/list', 'session-2'],
      ['tools/call', 'session-2'],
    ],
  )
  const [first, second] = it.server.seen.filter(isOpening)
  assert.deepEqual(second?.body.params, first?.body.params)
  assert.deepEqual(it.receiver.failures, [])
})

test('renew: a request that may have an effect is not repeated', async () => {
  await using it = await shaken({ post: forgetful })
  it.channel.send(asking('tools/call', 1))
  await assert.rejects(it.receiver.unanswered(), {
    code: 'Closed',
    outcome: 'NotSent',
    message: 'Cannot send "tools/call": the session has ended',
  })
  it.channel.send(asking('tools/call', 2))
  assert.deepEqual(await it.receiver.received(1), [{ jsonrpc: '2.0', id: 2, result: {} }])
  assert.equal(it.server.seen.filter((seen) => methodOf(seen) === 'tools/call').length, 2)
})

test('renew: a notification that finds no session fails, and there is one for the next', async () => {
  const notice = { jsonrpc: '2.0', method: 'notifications/roots/list_changed' } as const
  await using it = await shaken({ post: forgetful })
  await assert.rejects(Promise.resolve(it.channel.send(notice)), { code: 'Closed', outcome: 'NotSent' })
  await it.channel.send(notice)
  assert.equal(sessionOf(it.server.seen.at(-1) as Seen), 'session-2')
})

test('renew: many that find the session gone open one together', async () => {
  await using it = await shaken({ post: forgetful })
  for (let id = 1; id <= 20; id++) it.channel.send(asking('tools/list', id))
  await it.receiver.received(20)
  assert.equal(it.server.seen.filter(isOpening).length, 2)
})

test('renew: a server that forgets every session is asked twice, not for ever', async () => {
  const post: Answering = (seen, response) => (seen.body.id === undefined ? accept : status(404))(seen, response)
  await using it = await shaken({ post })
  it.channel.send(asking('tools/list', 1))
  await assert.rejects(it.receiver.unanswered(), { code: 'Closed', outcome: 'NotSent' })
  assert.equal(it.server.seen.filter((seen) => methodOf(seen) === 'tools/list').length, 2)
})

test('renew: a method that the server does not have is no session that is gone', async () => {
  const post: Answering = (seen, response) =>
    seen.body.id === undefined ? plain(response, 202) : json(response, error(seen, -32601), 404)
  await using it = await shaken({ post })
  it.channel.send(asking('tools/list', 1))
  const [told] = (await it.receiver.received(1)) as { error: { code: number } }[]
  assert.equal(told?.error.code, -32601)
  assert.equal(it.server.seen.filter(isOpening).length, 1)
})

test('renew: without a session, 404 is only 404', async () => {
  const post: Answering = (seen, response) => (seen.body.id === undefined ? accept : status(404))(seen, response)
  await using it = await shaken({ post, sessionId: () => undefined })
  it.channel.send(asking('tools/list', 1))
  await assert.rejects(it.receiver.unanswered(), { code: 'Http', status: 404 })
})

test('renew: a server that now wants another revision ends the connection', async () => {
  const initialize = (seen: Seen, response: ServerResponse, count: number): void => {
    const told = count === 1 ? greeting : { ...greeting, protocolVersion: '2025-06-18' }
    json(response, result(seen, told), 200, { 'mcp-session-id': `session-${count}` })
  }
  await using it = await shaken({ post: forgetful, initialize })
  it.channel.send(asking('tools/list', 1))
  assert.match(String(await it.receiver.whenClosed()), /2025-06-18/)
  assert.equal(it.receiver.reasons.length, 1)
})

test('renew: when that fails the call fails, and the next one tries again', async () => {
  const initialize = (seen: Seen, response: ServerResponse, count: number): void => {
    if (count === 2) return plain(response, 500)
    if (count === 3) return json(response, error(seen, -32603))
    json(response, result(seen, greeting), 200, { 'mcp-session-id': `session-${count}` })
  }
  await using it = await shaken({ post: forgetful, initialize })
  for (const id of [1, 2]) {
    it.channel.send(asking('tools/list', id))
    await assert.rejects(it.receiver.unanswered(), {
      code: 'Closed',
      outcome: 'NotSent',
      message: 'Cannot send "tools/list": the session has ended and could not be opened again',
    })
    it.receiver.failures.length = 0
  }
  it.channel.send(asking('tools/list', 3))
  await it.receiver.received(1)
  assert.equal(sessionOf(it.server.seen.at(-1) as Seen), 'session-4')
})

test('renew: a server that does not answer is not waited for too long', async () => {
  const initialize = (seen: Seen, response: ServerResponse, count: number): void => {
    if (count === 1) json(response, result(seen, greeting), 200, { 'mcp-session-id': 'session-1' })
  }
  await using it = await shaken({ post: forgetful, initialize }, { renewMs: 1 })
  it.channel.send(asking('tools/list', 1))
  await assert.rejects(it.receiver.unanswered(), { code: 'Closed', outcome: 'NotSent' })
})

test('renew: with onSessionLost "close" the connection ends instead', async () => {
  await using it = await shaken({ post: forgetful }, { onSessionLost: 'close' })
  it.channel.send(asking('tools/list', 1))
  assert.match(String(await it.receiver.whenClosed()), /The session has ended/)
  assert.equal(it.server.seen.filter(isOpening).length, 1)
})

for (const id of ['a', undefined]) {
  test(`renew: a listener that finds the session gone after event ${id} opens another one`, async () => {
    const notice = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' } as const
    const get = inTurn(streaming(event(notice, id)), status(404), streaming(event(notice, 'b')))
    await using it = await shaken({ get }, { clock: new HastyClock() })
    await it.receiver.received(2)
    const listened = it.server.seen.filter(isGet).slice(0, 3)
    assert.deepEqual(
      listened.map((seen) => [sessionOf(seen), seen.headers['last-event-id']]),
      [
        ['session-1', undefined],
        ['session-1', id],
        ['session-2', undefined],
      ],
    )
  })
}

test('renew: half a handshake is none', async () => {
  let refusals = 0
  const post: Answering = (seen, response) =>
    sessionOf(seen) === 'session-2' && refusals++ === 0 ? plain(response, 500) : forgetful(seen, response)
  await using it = await shaken({ post })
  it.channel.send(asking('tools/list', 1))
  await assert.rejects(it.receiver.unanswered(), { code: 'Closed', outcome: 'NotSent' })
  it.channel.send(asking('tools/list', 2))
  await it.receiver.received(1)
  assert.equal(sessionOf(it.server.seen.filter(({ method }) => method === 'POST').at(-1) as Seen), 'session-3')
})

const level = asking('logging/setLevel', 1, { level: 'error' })
const subscription = (id: number, uri: string) => asking('resources/subscribe', id, { uri })

/** Methods or resources named in a session, in order. */
const saidIn = (seen: readonly Seen[], session: string) =>
  seen
    .filter((one) => one.method === 'POST' && sessionOf(one) === session)
    .map(({ body }) => (body.params as { uri?: string } | undefined)?.uri ?? body.method)

/** A server that forgets its first session once that has made these choices, and refuses some of the second. */
async function chosen(choices: readonly ReturnType<typeof asking>[], refusing: Answering = answer) {
  let isLost = false
  const post: Answering = (seen, response) => {
    if (isLost && sessionOf(seen) === 'session-1') return plain(response, 404)
    return (sessionOf(seen) === 'session-2' ? refusing : answer)(seen, response)
  }
  const it = await shaken({ post })
  for (const choice of choices) it.channel.send(choice)
  await it.receiver.received(choices.length)
  it.receiver.messages.length = 0
  isLost = true
  return it
}

test('renew: subscriptions and the log level are sent again before anything else, and their answers are dropped', async () => {
  const undone = asking('resources/unsubscribe', 4, { uri: 'test:b' })
  await using it = await chosen([level, subscription(2, 'test:a'), subscription(3, 'test:b'), undone])
  it.channel.send(asking('tools/list', 5))
  assert.deepEqual(await it.receiver.received(1), [{ jsonrpc: '2.0', id: 5, result: {} }])
  const [first, ...rest] = saidIn(it.server.seen, 'session-2')
  assert.equal(first, 'notifications/initialized')
  assert.equal(rest.pop(), 'tools/list')
  assert.deepEqual(rest.sort(), ['logging/setLevel', 'test:a'])
})

test('renew: a subscription or log level that is refused now, or breaks off, does not stop later requests', async () => {
  const refusing: Answering = (seen, response) => {
    if (seen.body.method === 'logging/setLevel') json(response, error(seen, -32601))
    else if (seen.body.method === 'resources/subscribe') response.destroy()
    else answer(seen, response)
  }
  await using it = await chosen([level, subscription(2, 'test:a')], refusing)
  it.channel.send(asking('tools/list', 3))
  assert.deepEqual(await it.receiver.received(1), [{ jsonrpc: '2.0', id: 3, result: {} }])
  assert.deepEqual(it.receiver.failures, [])
})

test('renew: no more than 8 choices are said again at once', async () => {
  const held: (() => void)[] = []
  let most = 0
  const refusing: Answering = (seen, response) => {
    if (seen.body.method !== 'resources/subscribe') return answer(seen, response)
    held.push(() => answer(seen, response))
    most = Math.max(most, held.length)
    // a ninth would have arrived by the time a later connection was served
    if (held.length === 8) setImmediate(() => held.splice(0).forEach((go) => void go()))
  }
  const uris = Array.from({ length: 24 }, (_, at) => `test:${at}`)
  await using it = await chosen(
    uris.map((uri, id) => subscription(id, uri)),
    refusing,
  )
  it.channel.send(asking('tools/list', 100))
  await it.receiver.received(1)
  assert.deepEqual(saidIn(it.server.seen, 'session-2').slice(1, -1).sort(), uris.sort())
  assert.equal(most, 8)
})
