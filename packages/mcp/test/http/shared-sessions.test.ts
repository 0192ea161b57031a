/** Sessions that several servers share: whichever of them a request comes to, the conversation goes on. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import '../no-leaks.ts'
import { connect, type LogMessage, server } from '@trunkline/mcp'
import { MemoryEventStore, MemorySessionStore } from '@trunkline/mcp/http'
import { serveHttp } from '@trunkline/mcp/node'
import { quiet } from '../fixtures/quiet.ts'
import { HastyClock } from '../hasty-clock.ts'
import { Mailbox } from '../mailbox.ts'
import { faceAt, faces, messageOf, openSession, saidIn } from '../threats/faces.ts'
import { sessionCall, within } from '../threats/messages.ts'
import { post, readSession } from '../threats/streams.ts'
import { heard, talking } from './talking.ts'

const streamable = ['2025-11-25', '2025-06-18', '2025-03-26']

const newsroom = () =>
  server({ name: 'news', ...quiet })
    .resource('test:news', {}, () => 'news')
    .tool('log', {}, async (_, ctx) => {
      await ctx.log('info', 'too much')
      await ctx.log('error', 'enough')
      return `for ${ctx.caller.info?.name}`
    })

const stores = () => ({ store: new MemorySessionStore(), events: new MemoryEventStore() })

const subscribe = { id: 'subscribe', method: 'resources/subscribe', params: { uri: 'test:news' } }
const setLevel = { id: 'level', method: 'logging/setLevel', params: { level: 'error' } }
const logsIn = (text: string): string[] => [...text.matchAll(/"data":"([^"]+)"/g)].map(([, data = '']) => data)

for (const revision of streamable) {
  test(`sessions.store: in ${revision} a session that one server opened goes on at another`, async () => {
    const definition = newsroom()
    const sessions = stores()
    await using first = await serveHttp(definition, { sessions })
    await using second = await serveHttp(definition, { sessions })
    const session = await openSession(faceAt(first.url), { revision })
    for (const message of [subscribe, setLevel]) {
      assert.equal((await post(second.url, within(session, message))).status, 200)
    }
    const text = await (await post(second.url, sessionCall(session, 'log'))).text()
    assert.deepEqual(logsIn(text), ['enough'])
    assert.match(text, /for raw/)
    using stream = await readSession(second.url, session)
    if (revision === streamable[0]) await stream.events.take()
    definition.resources.updated('test:news')
    assert.equal((await stream.events.take()).message.params.uri, 'test:news')
    const gone = { method: 'DELETE', headers: session }
    assert.deepEqual([(await fetch(second.url, gone)).status, (await fetch(second.url, gone)).status], [200, 404])
    assert.deepEqual(sessions.store.live, { records: 0 })
  })

  test(`sessions.store: in ${revision} a client does not notice that its server is gone while there is another`, async () => {
    const definition = newsroom()
    const sessions = stores()
    const first = await serveHttp(definition, { sessions })
    await using second = await serveHttp(definition, { sessions })
    let { url } = first
    let openings = 0
    const logs: LogMessage[] = []
    const changes = new Mailbox<string>()
    await using mcp = await connect(new URL(url), {
      revisions: [revision],
      onLog: (message) => logs.push(message),
      http: {
        clock: new HastyClock(),
        fetch: (_, init) => {
          if (init.body?.includes('"initialize"')) openings += 1
          return fetch(url, init)
        },
      },
    })
    await mcp.setLogLevel('error')
    await mcp.watch({ uris: ['test:news'] }, (change) => changes.put(change.kind))
    definition.resources.updated('test:news')
    assert.equal(await changes.take(), 'resource')
    url = second.url
    await first.close()
    assert.deepEqual((await mcp.tools.call('log', {})).content, [{ type: 'text', text: 'for trunkline' }])
    assert.deepEqual(
      logs.map(({ data }) => data),
      ['enough'],
    )
    definition.resources.updated('test:news')
    assert.equal(await changes.take(), 'resource')
    assert.equal(openings, 1)
  })
}

test('sessions.store: messages of one server about a call can be read at another, until the answer is there', async () => {
  const sessions = stores()
  await using first = await talking(sessions)
  await using second = await serveHttp(first.definition, { sessions })
  await first.say('a', 'b')
  using early = await readSession(second.url, first.session, first.first)
  assert.deepEqual(await heard(early, 2), ['a', 'b'])
  assert.equal(await early.whenOver, true)
  await heard(first.call, 1)
  const { id } = await first.call.events.take()
  using between = await readSession(second.url, first.session, id)
  assert.equal(await between.whenOver, true)
  assert.equal(between.events.size, 0)
  await first.say('c', 'end')
  using late = await readSession(second.url, first.session, id)
  assert.deepEqual(await heard(late, 2), ['c', 'end'])
  assert.equal(await late.whenOver, true)
})

test('sessions.store: a stream for whatever may come goes on at another server', async () => {
  const definition = newsroom()
  const sessions = stores()
  await using first = await serveHttp(definition, { sessions })
  await using second = await serveHttp(definition, { sessions })
  const session = await openSession(faceAt(first.url))
  await post(first.url, within(session, subscribe))
  const lost = await readSession(first.url, session)
  const { id } = await lost.events.take()
  definition.resources.updated('test:news')
  await lost.events.take()
  lost[Symbol.dispose]()
  await first.close()
  using back = await readSession(second.url, session, id)
  assert.equal((await back.events.take()).message.params.uri, 'test:news')
  assert.equal((await back.events.take()).message, undefined)
  definition.resources.updated('test:news')
  const { id: later, message } = await back.events.take()
  assert.equal(message.params.uri, 'test:news')
  using again = await readSession(second.url, session, later)
  assert.equal(await back.whenOver, true)
  definition.resources.updated('test:news')
  assert.equal((await again.events.take()).message.params.uri, 'test:news')
})

test('sessions.store: another session’s events cannot be read, at any server', async () => {
  const sessions = stores()
  await using first = await talking(sessions)
  await using second = await serveHttp(first.definition, { sessions })
  await first.say('secret')
  const other = await openSession(faceAt(second.url))
  assert.equal((await readSession(second.url, other, first.first)).status, 400)
})

test('sessions.store: to other callers a session exists at no server', async () => {
  const definition = newsroom()
  const sessions = stores()
  await using first = await faces.node(definition, { sessions })
  await using second = await faces.node(definition, { sessions })
  const session = await openSession(first, { principal: 'alice' })
  const call = sessionCall(session, 'log')
  for (const principal of ['mallory', 'Alice', undefined]) {
    for (const face of [first, second]) {
      const answer = await face.send({ ...call, ...(principal !== undefined && { principal }) })
      assert.equal(answer.status, 404)
      const unknown = await face.send({ ...call, headers: { ...call.headers, 'mcp-session-id': 'none' } })
      assert.equal(answer.text, unknown.text)
    }
  }
  const ping = within(session, { id: 1, method: 'ping' })
  assert.deepEqual(messageOf(await second.send({ ...ping, principal: 'alice' })).result, {})
})

test('sessions.store: a request of another caller does not restore a session', async () => {
  const sessions = stores()
  const elsewhere = newsroom()
  await using first = await faces.node(newsroom(), { sessions })
  await using second = await faces.node(elsewhere, { sessions })
  const session = await openSession(first, { principal: 'alice' })
  const ping = within(session, { id: 1, method: 'ping' })
  assert.equal((await second.send({ ...ping, principal: 'mallory' })).status, 404)
  assert.equal(elsewhere.live.connections, 0)
  assert.equal((await second.send({ ...ping, principal: 'alice' })).status, 200)
  assert.equal(elsewhere.live.connections, 1)
})

test('sessions.store: a request of another caller does not keep the owner of a session from going on', async () => {
  const definition = newsroom().tool('who', {}, (_, ctx) => `${ctx.caller.principal}`)
  const sessions = stores()
  await using first = await faces.node(definition, { sessions })
  await using second = await faces.node(definition, { sessions })
  const session = await openSession(first, { principal: 'alice' })
  const who = sessionCall(session, 'who')
  const [mallory, alice] = await Promise.all(
    ['mallory', 'alice'].map((principal) => second.send({ ...who, principal })),
  )
  assert.equal(mallory?.status, 404)
  assert.equal(saidIn(alice ?? { text: '' }), 'alice')
})
