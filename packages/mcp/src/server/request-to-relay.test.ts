import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keptByYoungCollections } from '../../test/young-memory.ts'
import type { Context } from './context.ts'
import { RequestToRelay } from './request-to-relay.ts'

type Given = ConstructorParameters<typeof RequestToRelay>[0]

test('RequestToRelay: its references are collected with it', () => {
  const bytes = 8_000
  const kept = keptByYoungCollections(() => {
    for (let at = 0; at < 1000; at++) relayed(new Array(bytes / 8).fill(at))
  })
  assert.ok(kept < 100 * bytes, `${Math.round(kept / bytes)} of 1000 are kept`)
})

test('RequestToRelay: its functions can be taken out of it, and its context is made when it is looked at', () => {
  const told: unknown[] = []
  const request = relayed(told)
  const { progress, log } = request
  progress({ progress: 1 })
  log({ level: 'info', data: 'x' })
  assert.deepEqual(told, [['notifications/progress', { progress: 1, progressToken: 't' }]])
  assert.equal(contexts, 0)
  assert.deepEqual([request.ctx, request.signal.aborted, contexts], [{ number: 1 }, false, 1])
})

let contexts = 0

function relayed(told: unknown[]): RequestToRelay {
  const given = {
    method: 'tools/call',
    params: { name: 'x', _meta: { progressToken: 't' } },
    caller: { logLevel: undefined },
    incoming: { signal: new AbortController().signal },
    input: { tell: (...message: unknown[]) => void told.push(message) },
    rounds: undefined,
  }
  const context = (): unknown => {
    contexts += 1
    return { number: contexts }
  }
  return new RequestToRelay(given as unknown as Given, context as () => Context)
}
