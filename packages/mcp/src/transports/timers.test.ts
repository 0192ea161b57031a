import assert from 'node:assert/strict'
import { test } from 'node:test'
import { McpError } from '../wire/errors.ts'
import { checkedDelay, settlesWithin } from './timers.ts'

test('delay: refuses what is no duration', () => {
  for (const ms of [Number.NaN, 0, -1, Number.NEGATIVE_INFINITY]) {
    assert.throws(
      () => checkedDelay('graceMs', ms),
      (error) => error instanceof McpError && error.code === 'Misuse' && /graceMs/.test(error.message),
    )
  }
})

test('delay: cuts what a timer cannot wait', () => {
  assert.equal(checkedDelay('graceMs', 5), 5)
  assert.equal(checkedDelay('graceMs', 2 ** 31), 2 ** 31 - 1)
  assert.equal(checkedDelay('graceMs', Number.POSITIVE_INFINITY), 2 ** 31 - 1)
})

test('within: tells whether the promise settled in time', async () => {
  assert.equal(await settlesWithin(Promise.resolve(), 2 ** 31 - 1), true)
  assert.equal(await settlesWithin(Promise.reject(new Error('no')), 2 ** 31 - 1), true)
  assert.equal(await settlesWithin(new Promise(() => {}), 1), false)
})
