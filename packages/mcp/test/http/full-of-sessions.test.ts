import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { server } from '@trunkline/mcp'
import { toFetch } from '@trunkline/mcp/http'
import { faces, openSession as openAs } from '../threats/faces.ts'
import { opening, within } from '../threats/messages.ts'
import { openSession, post } from './raw.ts'

test('Sessions: where there is no more room, those that are idle make some, although no timer has swept them', async () => {
  const handler = toFetch(server({ name: 'full', version: '1' }), {
    limits: { maxSessions: 1 },
    sessions: { idleMs: 60_000 },
  })
  const first = await openSession(handler, '2025-11-25')
  const second = { jsonrpc: '2.0', id: 0, method: 'initialize', params: {} }
  assert.equal((await post(handler, second)).status, 503)
  const later = performance.now() + 60_001
  mock.method(performance, 'now', () => later)
  await openSession(handler, '2025-11-25')
  mock.restoreAll()
  assert.equal((await post(handler, { jsonrpc: '2.0', id: 1, method: 'ping' }, first)).status, 404)
})

test('Sessions: with replaceUnused the one of a caller that was used least recently ends for another, never one in use', async () => {
  const options = { limits: { maxSessionsPerCaller: 2 }, sessions: { replaceUnused: true } }
  await using face = await faces.node(server({ name: 'full', version: '1' }), options)
  const isOpen = async (headers: Awaited<ReturnType<typeof openAs>>, principal: string) => {
    return (await face.send({ ...within(headers, { id: 1, method: 'ping' }), principal })).status === 200
  }
  const foreign = await openAs(face, { principal: 'bob' })
  const first = await openAs(face, { principal: 'ada' })
  const second = await openAs(face, { principal: 'ada' })
  assert.ok(await isOpen(first, 'ada'))
  const third = await openAs(face, { principal: 'ada' })
  const open = [await isOpen(first, 'ada'), await isOpen(second, 'ada'), await isOpen(third, 'ada')]
  assert.deepEqual(open, [true, false, true])
  assert.ok(await isOpen(foreign, 'bob'))
})

test('Sessions: one that is over makes room for another one of its caller, and not of other callers', async () => {
  await using face = await faces.fetch(server({ name: 'full', version: '1' }), { limits: { maxSessionsPerCaller: 1 } })
  const tries = async () => {
    const answers = ['ada', 'bob'].map((principal) => face.send({ ...opening('2025-11-25'), principal }))
    return Promise.all(answers.map(async (answer) => (await answer).status))
  }
  const session = await openAs(face, { principal: 'ada' })
  await openAs(face, { principal: 'bob' })
  assert.deepEqual(await tries(), [503, 503])
  assert.equal((await face.send({ method: 'DELETE', headers: session, principal: 'ada' })).status, 200)
  assert.deepEqual(await tries(), [200, 503])
  assert.deepEqual(await tries(), [503, 503])
})
