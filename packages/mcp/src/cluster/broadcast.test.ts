import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Broadcast } from './broadcast.ts'

/** A broadcast to a process that is away until `isBack` is set, and what that process has got. */
function toOneAway() {
  const got: string[] = []
  const state = { isBack: false }
  const post = (epochs: readonly string[], text: string) => {
    if (!state.isBack) return []
    got.push(text)
    return epochs
  }
  return { broadcast: new Broadcast({ post, take: () => [] }), got, state }
}

test('Broadcast: a process that was away gets each entry once when it is back', async () => {
  const { broadcast, got, state } = toOneAway()
  for (const text of ['a', 'b']) await broadcast.tell(['p'], text)
  state.isBack = true
  await broadcast.tell(['p'], 'c')
  await broadcast.tellRest(['p'])
  await broadcast.tellRest(['p'])
  assert.deepEqual(got.sort(), ['a', 'b', 'c'])
})

test('Broadcast: keeps the newest 1 000 entries, and none of more than 16 384 characters', async () => {
  const { broadcast, got, state } = toOneAway()
  for (let at = 0; at < 1_500; at++) await broadcast.tell(['p'], `${at}`)
  await broadcast.tell(['p'], 'x'.repeat(16_385))
  await broadcast.tell(['p'], 'x'.repeat(16_384))
  state.isBack = true
  await broadcast.tellRest(['p'])
  assert.deepEqual([got.length, got[0], got.at(-2), got.at(-1)?.length], [1_000, '501', '1499', 16_384])
})
