import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Channel } from './channel.ts'
import { OutgoingCalls } from './outgoing-calls.ts'

const control = {
  cancelled: 'notifications/cancelled',
  progress: 'notifications/progress',
  notCancellable: new Set<string>(),
}

/** Calls on a channel that never answers. */
function unanswered(): OutgoingCalls {
  const channel: Channel = { open() {}, send: () => undefined, close: async () => {} }
  return new OutgoingCalls(channel, { control, maxInFlight: 10 })
}

async function cancelled(calls: OutgoingCalls, onLateResult: () => void): Promise<void> {
  const stop = new AbortController()
  const call = calls.call('tools/call', {}, { signal: stop.signal, onLateResult })
  stop.abort(new Error('enough'))
  await assert.rejects(call, /enough/)
}

const answer = (id: number) => ({ jsonrpc: '2.0', id, result: {} }) as const

test('OutgoingCalls: a result that crosses a cancellation is received once, and an error is not', async () => {
  const calls = unanswered()
  const late: number[] = []
  await cancelled(calls, () => late.push(0))
  await cancelled(calls, () => late.push(1))
  assert.ok(calls.answered(answer(0)))
  assert.ok(calls.answered(answer(0)))
  assert.ok(calls.answered({ jsonrpc: '2.0', id: 1, error: { code: -1, message: 'no' } }))
  assert.ok(calls.answered(answer(1)))
  assert.deepEqual(late, [0])
})

test('OutgoingCalls: the results of the last 1000 cancelled calls are awaited', async () => {
  const calls = unanswered()
  const late: number[] = []
  for (let id = 0; id <= 1_000; id++) await cancelled(calls, () => late.push(id))
  for (let id = 0; id <= 1_000; id++) calls.answered(answer(id))
  assert.equal(late.length, 1_000)
  assert.equal(late[0], 1)
})
