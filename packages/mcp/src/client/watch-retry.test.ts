import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WatchRetry } from './watch-retry.ts'

function returnsAt(chance: number) {
  let now = 0
  const returns = new WatchRetry({ random: () => chance, now: () => now })
  /** The wait before the next try, after a watch that lasted so long. */
  const after = (ms: number): number | undefined => {
    returns.began()
    now += ms
    return returns.next()
  }
  return { returns, after }
}

test('Returns: a watch that ended at once, or never began, is not retried', () => {
  const { returns, after } = returnsAt(1)
  assert.deepEqual([returns.next(), after(999), after(0)], [undefined, undefined, undefined])
})

test('Returns: after something that lasted each wait may be twice as long, until there were enough in a row', () => {
  const { after } = returnsAt(1)
  assert.deepEqual(
    [1_000, 0, 0, 0, 0, 0].map((ms) => after(ms)),
    [1_000, 2_000, 4_000, 8_000, 16_000, undefined],
  )
  assert.equal(after(1_000), 1_000)
})

test('Returns: chance decides how much is waited', () => {
  assert.deepEqual([returnsAt(0).after(1_000), returnsAt(0.5).after(1_000)], [0, 500])
})
