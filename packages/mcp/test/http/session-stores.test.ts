import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mock, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import '../no-leaks.ts'
import { MemorySessionStore, type SessionOptions, type SessionRecord, toFetch } from '@trunkline/mcp/http'
import { serveHttp, toNode } from '@trunkline/mcp/node'
import { gate } from '../gate.ts'
import { Mailbox } from '../mailbox.ts'
import { soon, turnsUntil } from '../soon.ts'
import { faceAt, openSession } from '../threats/faces.ts'
import { opening, within } from '../threats/messages.ts'
import { post, readSession } from '../threats/streams.ts'
import { opened, ping, reporting, slow, subscribe } from './kept.ts'
import * as raw from './raw.ts'

test('sessions.store: the answer to a handshake waits until the session is kept', async () => {
  const memory = new MemorySessionStore()
  const saves = new Mailbox<() => void>()
  const save = async (id: string, record: SessionRecord): Promise<void> => {
    const { promise, open } = gate()
    saves.put(open)
    await promise
    memory.save(id, record)
  }
  const store = { save, load: memory.load.bind(memory), drop: memory.drop.bind(memory) }
  await using listening = await serveHttp(reporting().definition, { sessions: { store } })
  const answer = post(listening.url, opening('2025-11-25'))
  const keep = await saves.take()
  assert.deepEqual(memory.live, { records: 0 })
  keep()
  const id = (await answer).headers.get('mcp-session-id') ?? ''
  assert.deepEqual(
    memory.load(id)?.messages.map(({ method }) => method),
    ['initialize'],
  )
})

test('sessions.store: changes are saved one after the other, and those that wait together', async () => {
  const memory = new MemorySessionStore()
  await using listening = await serveHttp(reporting().definition, { sessions: { store: memory } })
  const session = await openSession(faceAt(listening.url))
  const saves = new Mailbox<{ readonly uris: readonly unknown[]; keep(): void }>()
  Object.assign(memory, {
    save: (_: string, { messages }: SessionRecord) => {
      const { promise, open } = gate()
      saves.put({ uris: messages.flatMap(({ params }) => params?.uri ?? []), keep: open })
      return promise
    },
  })
  for (const uri of ['test:a', 'test:b', 'test:c']) await post(listening.url, within(session, subscribe(uri)))
  const first = await saves.take()
  assert.deepEqual([first.uris, saves.size], [['test:a'], 0])
  first.keep()
  const second = await saves.take()
  assert.deepEqual([second.uris, saves.size], [['test:a', 'test:b', 'test:c'], 0])
  const ended = fetch(listening.url, { method: 'DELETE', headers: session })
  second.keep()
  assert.equal((await ended).status, 200)
  assert.deepEqual([memory.live, saves.size], [{ records: 0 }, 0])
})

test('sessions.store: a session that is being forgotten is over already', async () => {
  const { definition } = reporting()
  const store = new MemorySessionStore()
  await using listening = await serveHttp(definition, { sessions: { store } })
  const session = await openSession(faceAt(listening.url))
  const { promise, open: forget } = gate()
  Object.assign(store, { drop: () => promise })
  const ended = fetch(listening.url, { method: 'DELETE', headers: session })
  await turnsUntil(() => definition.live.connections === 0, 'the connection to be over')
  assert.equal((await post(listening.url, within(session, ping))).status, 404)
  forget()
  assert.equal((await ended).status, 200)
})

test('sessions.store: a request that comes together with the end of a session is too late', async () => {
  const memory = new MemorySessionStore()
  const session = await opened(memory)
  const { store, loads } = slow(memory)
  await using listening = await serveHttp(reporting().definition, { sessions: { store } })
  const ended = fetch(listening.url, { method: 'DELETE', headers: session })
  const load = await loads.take()
  const late = post(listening.url, within(session, ping))
  await openSession(faceAt(listening.url))
  load()
  assert.deepEqual([(await ended).status, (await late).status], [200, 404])
})

/** A server that is closing while its store is busy with a change. */
async function closing(drainMs: number) {
  const store = new MemorySessionStore()
  const handler = toFetch(reporting().definition, { drainMs, sessions: { store } })
  const session = await raw.openSession(handler, '2025-11-25')
  const { promise, open: keep } = gate()
  Object.assign(store, { save: () => promise })
  await raw.post(handler, { jsonrpc: '2.0', ...subscribe('test:news') }, session)
  return { closed: handler.close(), keep }
}

test('sessions.store: a server that closes waits until everything is kept', async () => {
  const { closed, keep } = await closing(60_000)
  let isClosed = false
  const noted = closed.then(() => {
    isClosed = true
  })
  await setImmediate()
  assert.equal(isClosed, false)
  keep()
  await noted
})

test('sessions.store: a server that closes does not wait for ever', async () => {
  const { closed, keep } = await closing(1)
  await soon(closed, 'the server to close')
  keep()
})

test('sessions.store: a refused request is not kept', async () => {
  const store = new MemorySessionStore()
  await using listening = await serveHttp(reporting().definition, { sessions: { store } })
  const session = await openSession(faceAt(listening.url))
  const answer = await post(listening.url, within(session, { ...subscribe('test:news'), params: {} }))
  assert.equal((await answer.json()).error.code, -32602)
  const methods = store.load(session['mcp-session-id'])?.messages.map(({ method }) => method)
  assert.deepEqual(methods, ['initialize', 'notifications/initialized'])
})

test('sessions.store: two requests at the same time make one session of one record', async () => {
  const { definition } = reporting()
  const memory = new MemorySessionStore()
  const session = await opened(memory)
  const { store, loads } = slow(memory)
  await using listening = await serveHttp(definition, { sessions: { store } })
  const answers = [1, 2].map((id) => post(listening.url, within(session, { ...ping, id })))
  const load = await loads.take()
  // by the time a request after them is answered both have come
  await openSession(faceAt(listening.url))
  assert.equal(loads.size, 0)
  load()
  assert.deepEqual(await Promise.all(answers.map(async (answer) => (await (await answer).json()).result)), [{}, {}])
  assert.equal(definition.live.connections, 2)
})

test('sessions.store: requests that wait for a record count as under way', async () => {
  const memory = new MemorySessionStore()
  const session = await opened(memory)
  const { store, loads } = slow(memory)
  await using listening = await serveHttp(reporting().definition, {
    limits: { maxRequestsInFlight: 1 },
    sessions: { store },
  })
  const answer = post(listening.url, within(session, ping))
  const load = await loads.take()
  const other = within({ ...session, 'mcp-session-id': 'other' }, ping)
  assert.equal((await post(listening.url, other)).status, 503)
  load()
  assert.equal((await answer).status, 200)
})

test('sessions.store: a session is not made where there is no room for it', async () => {
  const store = new MemorySessionStore()
  const session = await opened(store)
  await using listening = await serveHttp(reporting().definition, { limits: { maxSessions: 1 }, sessions: { store } })
  await openSession(faceAt(listening.url))
  assert.equal((await post(listening.url, within(session, ping))).status, 503)
})

test('sessions.store: a record that opens nothing is no session', async () => {
  const { definition } = reporting()
  const store = new MemorySessionStore()
  store.save('empty', { alias: 'a', messages: [] })
  store.save('wrong', { alias: 'b', messages: [{ jsonrpc: '2.0', id: 0, method: 'initialize', params: {} }] })
  await using listening = await serveHttp(definition, { sessions: { store } })
  for (const id of ['empty', 'wrong']) {
    assert.equal((await post(listening.url, within({ 'mcp-session-id': id }, ping))).status, 404)
  }
  assert.equal(definition.live.connections, 0)
})

test('sessions.store: an unused session is kept no longer', async () => {
  const store = new MemorySessionStore()
  const options: SessionOptions = { store, idleMs: 60_000 }
  await using listening = await serveHttp(reporting().definition, {
    limits: { maxSessions: 1 },
    sessions: options,
  })
  const idle = await openSession(faceAt(listening.url))
  const later = performance.now() + 60_001
  mock.method(performance, 'now', () => later)
  await openSession(faceAt(listening.url))
  mock.restoreAll()
  assert.equal((await post(listening.url, within(idle, ping))).status, 404)
  assert.deepEqual(store.live, { records: 1 })
})

test('sessions.store: a client that leaves before the session is loaded is not taken for a listener', async () => {
  const { definition } = reporting()
  const memory = new MemorySessionStore()
  const session = await opened(memory)
  const { store, loads } = slow(memory)
  const listener = toNode(definition, { sessions: { store } })
  const left = gate()
  const http = createServer((request, response) => {
    if (request.headers['x-leaves'] !== undefined) response.once('close', () => left.open())
    listener(request, response)
  })
  await once(http.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`
  const leaving = new AbortController()
  const headers = { ...session, accept: 'text/event-stream', 'x-leaves': '' }
  const gone = fetch(url, { headers, signal: leaving.signal })
  const load = await loads.take()
  leaving.abort()
  await assert.rejects(gone, { name: 'AbortError' })
  await soon(left.promise, 'the server to see who left')
  load()
  await post(url, within(session, subscribe('test:news')))
  definition.resources.updated('test:news')
  {
    using stream = await readSession(url, session)
    const { message } = await stream.events.take()
    assert.equal((message ?? (await stream.events.take()).message).params.uri, 'test:news')
  }
  await listener.close()
  http.closeAllConnections()
  await new Promise((resolve) => http.close(resolve))
})
