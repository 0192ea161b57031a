import assert from 'node:assert/strict'
import { test } from 'node:test'
import '../no-leaks.ts'
import { MemorySessionStore } from '@trunkline/mcp/http'
import { serveHttp } from '@trunkline/mcp/node'
import { faceAt, openSession } from '../threats/faces.ts'
import { opening, within } from '../threats/messages.ts'
import { post } from '../threats/streams.ts'
import { opened, ping, reporting, subscribe } from './kept.ts'

const failing = {
  rejects: () => Promise.reject(new Error('offline')),
  throws: () => {
    throw new Error('offline')
  },
}

for (const [how, fail] of Object.entries(failing)) {
  test(`sessions.store: a session that cannot be kept, because saving ${how}, is not opened`, async () => {
    const { definition, reported } = reporting()
    const store = Object.assign(new MemorySessionStore(), { save: fail })
    await using listening = await serveHttp(definition, { sessions: { store } })
    const answer = await post(listening.url, opening('2025-11-25'))
    assert.equal(answer.status, 500)
    assert.equal(answer.headers.get('mcp-session-id'), null)
    assert.doesNotMatch(await answer.text(), /offline/)
    assert.deepEqual(reported, ['Storing a session: offline'])
    assert.deepEqual(definition.live, { connections: 0, watchers: 0 })
  })

  test(`sessions.store: a session goes on although saving ${how} later, which is reported`, async () => {
    const { definition, reported } = reporting()
    const store = new MemorySessionStore()
    await using listening = await serveHttp(definition, { sessions: { store } })
    const session = await openSession(faceAt(listening.url))
    Object.assign(store, { save: fail })
    const answer = await post(listening.url, within(session, subscribe('test:news')))
    assert.deepEqual((await answer.json()).result, {})
    assert.deepEqual(reported, ['Storing a session: offline'])
  })

  test(`sessions.store: that loading ${how} does not mean that there is no session`, async () => {
    const { definition, reported } = reporting()
    const memory = new MemorySessionStore()
    const session = await opened(memory)
    const store = { save: memory.save, drop: memory.drop, load: fail }
    await using listening = await serveHttp(definition, { sessions: { store } })
    assert.equal((await post(listening.url, within(session, ping))).status, 500)
    assert.deepEqual(reported, ['A request: offline'])
  })

  test(`sessions.store: that dropping ${how} is told to who wanted the session to end`, async () => {
    const { definition, reported } = reporting()
    const store = Object.assign(new MemorySessionStore(), { drop: fail })
    await using listening = await serveHttp(definition, { sessions: { store } })
    const session = await openSession(faceAt(listening.url))
    assert.equal((await fetch(listening.url, { method: 'DELETE', headers: session })).status, 500)
    assert.deepEqual(reported, ['A request: offline'])
  })
}
