/** The streams of a session: whose events they carry, how many there are, and what becomes of them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { server } from '@trunkline/mcp'
import { toFetch } from '@trunkline/mcp/http'
import { serveHttp } from '@trunkline/mcp/node'
import { quiet } from '../fixtures/quiet.ts'
import { gate } from '../gate.ts'
import { faceAt, openSession, saidIn } from './faces.ts'
import { FaultProxy, halfOpen } from './fault-proxy.ts'
import { jsonHeaders, opening, sessionCall, within } from './messages.ts'
import { post, readSession } from './streams.ts'

/** A server whose sessions each get news of their own. */
async function newsroom() {
  const definition = server({ name: 'news', ...quiet })
    .resource('test:news', {}, () => 'news')
    .template('test:{number}', {}, ({ number }) => number)
    .tool('tell', {}, async ({ secret }, ctx) => {
      await ctx.log('error', secret)
      return 'told'
    })
  const listening = await serveHttp(definition)
  return { url: listening.url, definition, [Symbol.asyncDispose]: () => listening.close() }
}

test('Session.resume: the events of one session are never those of another', async () => {
  await using room = await newsroom()
  const [alice, mallory] = await Promise.all([openSession(faceAt(room.url)), openSession(faceAt(room.url))])
  const answer = await fetch(room.url, { method: 'POST', ...sessionCall(alice, 'tell', { secret: 'of alice' }) })
  const text = await answer.text()
  const ids = [...text.matchAll(/^id: (.+)$/gm)].map(([, id]) => id ?? '')
  assert.ok(ids.length > 1 && text.includes('of alice'))
  assert.ok(!text.includes(alice['mcp-session-id'] ?? '?'), 'what names events must not open sessions')
  for (const id of [...ids, ...ids.map((one) => one.replace(/\d+$/, '0'))]) {
    const stolen = await fetch(room.url, { headers: { accept: 'text/event-stream', ...mallory, 'last-event-id': id } })
    assert.equal(stolen.status, 400)
    assert.doesNotMatch(await stolen.text(), /of alice/)
  }
  const own = await fetch(room.url, {
    headers: { accept: 'text/event-stream', ...alice, 'last-event-id': ids[0] ?? '' },
  })
  assert.match(await own.text(), /of alice/)
})

test('Session.resume: an event id that was never given leads nowhere', async () => {
  await using room = await newsroom()
  const session = await openSession(faceAt(room.url))
  for (const id of ['', '.', 'x', '__proto__.0', 'constructor.1', '.0', '-1', 'a'.repeat(4_000)]) {
    const { status } = await fetch(room.url, {
      headers: { accept: 'text/event-stream', ...session, 'last-event-id': id },
    })
    assert.equal(status, 400, id)
  }
})

test('Session.listen: a second stream does not take the place of the first, and there are not arbitrarily many', async () => {
  await using room = await newsroom()
  const session = await openSession(faceAt(room.url))
  await fetch(room.url, {
    method: 'POST',
    ...within(session, { id: 1, method: 'resources/subscribe', params: { uri: 'test:news' } }),
  })
  using first = await readSession(room.url, session)
  using second = await readSession(room.url, session)
  assert.deepEqual([first.status, second.status], [200, 200])
  // each starts with an event that carries nothing but an id
  await Promise.all([first.events.take(), second.events.take()])
  room.definition.resources.updated('test:news')
  assert.equal((await first.events.take()).message.params.uri, 'test:news')
  assert.equal(second.events.size, 0)
  const more = await Promise.all(Array.from({ length: 7 }, () => readSession(room.url, session)))
  assert.deepEqual(more.map(({ status }) => status).sort(), [200, 200, 200, 200, 200, 200, 409])
  for (const stream of more) stream[Symbol.dispose]()
})

test('Session.resume: a client that comes back before it was missed takes its stream with it', async () => {
  await using room = await newsroom()
  const session = await openSession(faceAt(room.url))
  await fetch(room.url, {
    method: 'POST',
    ...within(session, { id: 1, method: 'resources/subscribe', params: { uri: 'test:news' } }),
  })
  using lost = await readSession(room.url, session)
  const { id } = await lost.events.take()
  using back = await readSession(room.url, session, id)
  assert.equal(await lost.whenOver, true)
  room.definition.resources.updated('test:news')
  assert.equal((await back.events.take()).message.params.uri, 'test:news')
})

test('Session.resume: messages lost in a half-open connection are sent again', async () => {
  await using room = await newsroom()
  await using proxy = await FaultProxy.to(Number(new URL(room.url).port))
  const session = await openSession(faceAt(room.url))
  const uris = Array.from({ length: 20 }, (_, at) => `test:${at}`)
  for (const [id, uri] of uris.entries()) {
    await post(room.url, within(session, { id, method: 'resources/subscribe', params: { uri } }))
  }
  // the head and the first event pass, and soon nothing does
  proxy.faults = () => ({ down: [halfOpen(500)] })
  using lost = await readSession(`http://127.0.0.1:${proxy.port}/mcp`, session)
  const { id } = await lost.events.take()
  for (const uri of uris) {
    room.definition.resources.updated(uri)
    await setImmediate()
  }
  using back = await readSession(room.url, session, id)
  for (const uri of uris) assert.equal((await back.events.take()).message.params.uri, uri)
  assert.ok(lost.events.size < uris.length)
})

test('Session: a request under an id that is in use is refused, and the first is answered all the same', async () => {
  const { promise, open } = gate<string>()
  const handler = toFetch(server({ name: 'slow', ...quiet }).tool('wait', {}, () => promise))
  const send = (headers: Record<string, string>, body: string) =>
    handler(new Request('http://localhost/mcp', { method: 'POST', headers, body }))
  const { headers: given } = await send({ ...jsonHeaders }, opening('2025-11-25').body)
  const session = { 'mcp-session-id': given.get('mcp-session-id') ?? '' }
  const letter = sessionCall(session, 'wait', {}, 'same')
  const first = send({ ...letter.headers }, letter.body)
  const second = await send({ ...letter.headers }, letter.body)
  assert.deepEqual([second.status, (await second.json()).id], [400, 'same'])
  open('the first')
  assert.equal(saidIn({ text: await (await first).text() }), 'the first')
})
