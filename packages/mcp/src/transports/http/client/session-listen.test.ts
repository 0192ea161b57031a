import assert from 'node:assert/strict'
import { test } from 'node:test'
import '../../../../test/no-leaks.ts'
import { HastyClock } from '../../../../test/hasty-clock.ts'
import { type Answering, event, events } from '../../../../test/scripted-http.ts'
import { answer, asking, inTurn, isGet, shaken, status, streaming } from '../../../../test/shaken.ts'

const notice = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' } as const

/** Answers with a stream that does not end. */
function staying(...given: readonly string[]): Answering {
  return (_, response) => void events(response, ...given)
}

test('listen: a stream that ends is opened again after its last event, without a report', async () => {
  const clock = new HastyClock()
  const get = inTurn(streaming(event(notice, 'a')), streaming(event(notice, 'b')), staying(event(notice, 'c')))
  await using it = await shaken({ get }, { clock })
  await it.receiver.received(3)
  assert.deepEqual(
    it.server.seen.filter(isGet).map(({ headers }) => headers['last-event-id']),
    [undefined, 'a', 'b'],
  )
  assert.deepEqual(clock.waits, [500, 500])
  assert.deepEqual(it.receiver.reasons, [])
  assert.deepEqual(it.receiver.failures, [])
})

test('listen: a stream that lasts and then breaks off without a word counts as no failure', async () => {
  let [turn, now] = [0, 0]
  const get: Answering = (_, response) => {
    if (++turn === 10) events(response, event(notice))
    else events(response).write(': still here\n', () => response.socket?.destroy())
  }
  // half a minute goes by at each reading
  const clock = { ...new HastyClock(), now: () => (now += 30_000) }
  await using it = await shaken({ get }, { clock, reconnect: { maxTries: 1 } })
  await it.receiver.received(1)
  assert.equal(it.server.seen.filter(isGet).length, 10)
})

test('listen: events that are no longer kept are given up, and the stream starts anew', async () => {
  const get = inTurn(streaming(event(notice, 'a')), status(400), staying(event(notice, 'b')))
  await using it = await shaken({ get }, { clock: new HastyClock() })
  await it.receiver.received(2)
  assert.deepEqual(
    it.server.seen.filter(isGet).map(({ headers }) => headers['last-event-id']),
    [undefined, 'a', undefined],
  )
})

const moments: readonly (readonly [how: string, get: Answering, lastEventId: string | undefined])[] = [
  [
    'an event that is too large',
    inTurn(streaming(`id: a\n\ndata: ${'x'.repeat(2_000)}\n\n`), staying(event(notice))),
    undefined,
  ],
  ['being refused', inTurn(status(403), staying(event(notice))), undefined],
  ['tries enough', inTurn(streaming('id: a\n\n'), status(503), status(503), staying(event(notice))), 'a'],
]

for (const [how, get, lastEventId] of moments) {
  test(`listen: given up after ${how}, it goes on when the server answers something`, async () => {
    await using it = await shaken(
      { get, post: answer },
      { clock: new HastyClock(), limits: { maxMessageBytes: 1_000 }, reconnect: { maxTries: 2 } },
    )
    const isTold = (): boolean => it.receiver.messages.some((message) => 'method' in message)
    for (let id = 1; !isTold(); id++) {
      it.channel.send(asking('tools/list', id))
      await it.receiver.received(id)
    }
    assert.equal(it.server.seen.filter(isGet).at(-1)?.headers['last-event-id'], lastEventId)
    assert.deepEqual(it.receiver.failures, [])
  })
}
