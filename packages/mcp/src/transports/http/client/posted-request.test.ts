import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import '../../../../test/no-leaks.ts'
import { HastyClock } from '../../../../test/hasty-clock.ts'
import { type Answering, event, events } from '../../../../test/scripted-http.ts'
import { accept, asking, inTurn, isGet, refuse, sessionOf, shaken, status, streaming } from '../../../../test/shaken.ts'
import { wait } from '../../../rpc/abortable-wait.ts'

const call = asking('tools/call', 1)
const notice = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' } as const
const done = streaming(event({ jsonrpc: '2.0', id: 1, result: {} }))
/** A stream that ends after an event with nothing but an id. */
const cut = streaming(event(undefined, '1'))

test('Post: a stream that breaks off is taken up where it was left, without a gap or a repetition', async () => {
  const told = (progress: number) => ({ jsonrpc: '2.0', method: 'notifications/progress', params: { progress } })
  const log = [told(1), told(2), told(3), told(4), { jsonrpc: '2.0', id: 1, result: {} }]
  /** Sends what comes after an event, as many as that, and half of one more. */
  const some = (response: ServerResponse, after: number, count: number): void => {
    const rest = log.map((message, index) => event(message, `e-${index + 1}`)).slice(after)
    events(response, ...rest.slice(0, count)).write(rest[count]?.slice(0, -3) ?? '', () => response.socket?.destroy())
  }
  const rest: Answering = ({ headers }, response) =>
    some(response, Number(String(headers['last-event-id']).slice(2)), 1)
  const post = inTurn(accept, (_, response) => some(response, 0, 2))
  await using it = await shaken({ post, get: inTurn(refuse, rest) }, { clock: new HastyClock() })
  await it.server.request(isGet)
  it.channel.send(call)
  assert.deepEqual(await it.receiver.received(5), log)
  const resumed = it.server.seen.filter(isGet).slice(1)
  assert.deepEqual(
    resumed.map(({ headers }) => headers['last-event-id']),
    ['e-2', 'e-3', 'e-4'],
  )
  for (const seen of resumed) assert.equal(sessionOf(seen), 'session-1')
  assert.deepEqual(it.receiver.failures, [])
})

test('Post: an event with nothing but an id is enough to come back, after the time the server asks for', async () => {
  const clock = new HastyClock(0)
  const primed = streaming('id: naïve-1\nretry: 1234\ndata: \n\n')
  await using it = await shaken({ post: inTurn(accept, primed), get: inTurn(refuse, done) }, { clock })
  await it.server.request(isGet)
  it.channel.send(call)
  await it.receiver.received(1)
  assert.deepEqual(clock.waits, [1234])
  const { headers } = await it.server.request(({ headers }) => headers['last-event-id'] !== undefined)
  assert.equal(Buffer.from(String(headers['last-event-id']), 'latin1').toString('utf8'), 'naïve-1')
})

test('Post: after tries enough without an event the outcome is unknown', async () => {
  const clock = new HastyClock()
  await using it = await shaken({ post: inTurn(accept, cut), get: inTurn(refuse, streaming()) }, { clock })
  await it.server.request(isGet)
  it.channel.send(call)
  await assert.rejects(it.receiver.unanswered(), { code: 'Closed', outcome: 'Unknown', message: /in 5 tries$/ })
  assert.deepEqual(clock.waits, [500, 1_000, 2_000, 4_000, 8_000])
  assert.equal(it.server.seen.filter(isGet).length, 1 + 5)
})

test('Post: events start the count of tries anew', async () => {
  const clock = new HastyClock()
  const [down, one] = [status(500), streaming(event(notice, '2'))]
  const get = inTurn(refuse, down, down, one, down, down, done)
  await using it = await shaken({ post: inTurn(accept, cut), get }, { clock, reconnect: { maxTries: 3 } })
  await it.server.request(isGet)
  it.channel.send(call)
  await it.receiver.received(2)
  assert.deepEqual(clock.waits, [500, 1_000, 2_000, 500, 1_000, 2_000])
})

test('Post: a server that is busy is given the time it asks for, within limits', async () => {
  const clock = new HastyClock(0)
  const later = (value: string): Answering => status(503, { 'retry-after': value })
  const date = new Date(clock.now() + 9_000).toUTCString()
  const get = inTurn(refuse, later('7'), later(date), later('86400'), done)
  await using it = await shaken({ post: inTurn(accept, cut), get }, { clock })
  await it.server.request(isGet)
  it.channel.send(call)
  await it.receiver.received(1)
  assert.deepEqual(clock.waits, [0, 7_000, 2_000, 30_000])
})

for (const code of [400, 404, 405]) {
  test(`Post: ${code} to coming back means that the rest is lost, at once`, async () => {
    const clock = new HastyClock()
    await using it = await shaken({ post: inTurn(accept, cut), get: inTurn(refuse, status(code)) }, { clock })
    await it.server.request(isGet)
    it.channel.send(call)
    await assert.rejects(it.receiver.unanswered(), { code: 'Closed', outcome: 'Unknown' })
    assert.equal(clock.waits.length, 1)
  })
}

test('Post: without the id of an event the outcome is unknown at once', async () => {
  const clock = new HastyClock()
  await using it = await shaken({ post: inTurn(accept, streaming(event(notice))) }, { clock })
  it.channel.send(call)
  await assert.rejects(it.receiver.unanswered(), { code: 'Closed', outcome: 'Unknown' })
  assert.deepEqual(clock.waits, [])
})

test('Post: closing ends the wait for another try', async () => {
  const clock = new EventEmitter<{ wait: [Promise<void>] }>()
  const waiting = (ms: number, signal: AbortSignal): Promise<void> => {
    const waited = wait(ms, signal)
    clock.emit('wait', waited)
    return waited
  }
  const stream = streaming('retry: 600000\n', event(undefined, '1'))
  await using it = await shaken({ post: inTurn(accept, stream) }, { clock: { wait: waiting } })
  it.channel.send(call)
  const [waited] = await once(clock, 'wait')
  await Promise.all([it.channel.close(), assert.rejects(waited, { code: 'Closed' })])
  assert.deepEqual(it.receiver.failures, [])
})
