import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callHost, HostAway } from './call.ts'

test('callHost: a host that does not answer is said in words, with what to do', async (t) => {
  Object.assign(globalThis, { sessionStorage: { getItem: () => null } })
  t.mock.method(globalThis, 'fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  await assert.rejects(callHost('status'), (error) => {
    assert.ok(error instanceof HostAway)
    assert.equal(error.message, 'The host does not answer, so this was not done. Start it: trunkline up')
    return true
  })
})

test('callHost: one that was cancelled rejects with the reason of that', async (t) => {
  const reason = new DOMException('enough', 'AbortError')
  t.mock.method(globalThis, 'fetch', () => Promise.reject(reason))
  await assert.rejects(callHost('status'), reason)
})
