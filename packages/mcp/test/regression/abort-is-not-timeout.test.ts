import assert from 'node:assert/strict'
import { test } from 'node:test'
import { everyRevision } from '@trunkline/mcp/testing'
import { gate } from '../gate.ts'
import { fresh } from './fresh.ts'

class Enough extends Error {}

test("a caller's abort rejects with the caller's own reason, before and during the call", async () => {
  const started = gate()
  const stuck = fresh().tool('hang', {}, () => {
    started.open()
    return new Promise(() => {})
  })
  await everyRevision(stuck, async ({ client }) => {
    const reason = new Enough('enough')
    await assert.rejects(
      client.tools.call('hang', {}, { signal: AbortSignal.abort(reason) }),
      (error) => error === reason,
    )
    const stop = new AbortController()
    const call = client.tools.call('hang', {}, { signal: stop.signal })
    await started.promise
    stop.abort(reason)
    await assert.rejects(call, (error) => error === reason)
  })
})

test('time that is up rejects with a code of its own', async (t) => {
  const stuck = fresh().tool('hang', {}, () => new Promise(() => {}))
  await everyRevision(stuck, async ({ client }) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const call = assert.rejects(client.tools.call('hang', {}, { timeoutMs: 1_000 }), {
      name: 'McpError',
      code: 'Timeout',
      outcome: 'Unknown',
    })
    t.mock.timers.tick(1_000)
    await call
    t.mock.timers.reset()
  })
})
