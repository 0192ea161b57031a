import assert from 'node:assert/strict'
import { test } from 'node:test'
import { open } from '@trunkline/mcp/client'
import { memoryPair, revisions } from '@trunkline/mcp/testing'
import { Mailbox } from '../mailbox.ts'
import { fresh } from './fresh.ts'

for (const revision of revisions) {
  test(`a hundred calls that are given up leave nothing, although their handlers never end, ${revision}`, async () => {
    const aborted = new Mailbox<string>()
    const stuck = fresh().tool('hang', {}, (_input, { signal }) => {
      signal.addEventListener('abort', () => aborted.put((signal.reason as Error).message))
      return new Promise(() => {})
    })
    const [near, far] = memoryPair()
    const talk = stuck.serve(far)
    await using client = await open(() => near, { revisions: [revision] })
    const before = talk.live
    const stop = new AbortController()
    const calls = Array.from({ length: 100 }, () => client.tools.call('hang', {}, { signal: stop.signal }))
    const settled = Promise.allSettled(calls)
    await client.ping()
    assert.deepEqual([client.live.pending, talk.live.serving], [100, 100])
    stop.abort(new Error('enough'))
    assert.ok((await settled).every(({ status }) => status === 'rejected'))
    for (let n = 0; n < calls.length; n++) assert.equal(await aborted.take(), 'enough')
    assert.deepEqual(client.live, { pending: 0, serving: 0, watching: 0 })
    assert.deepEqual(talk.live, before)
  })
}
