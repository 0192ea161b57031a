import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Breaker } from './breaker.ts'

it('Breaker: at once after one failure, then after times that double up to a bound', () => {
  const breaker = new Breaker({ firstWaitMs: 1_000, maxWaitMs: 4_000, random: () => 1 })
  const waits = Array.from({ length: 6 }, () => {
    breaker.failed()
    return Math.round(breaker.waitMs / 1_000)
  })
  assert.deepEqual(waits, [0, 1, 2, 4, 4, 4])
})

it('Breaker: waits are spread between half and all of that', () => {
  const soonest = new Breaker({ firstWaitMs: 1_000, random: () => 0 })
  soonest.failed()
  soonest.failed()
  assert.equal(Math.round(soonest.waitMs / 100), 5)
})

it('Breaker: a server that ran long enough starts with a clean record, and so does one that was reset', () => {
  const breaker = new Breaker({ firstWaitMs: 60_000, stableMs: 0 })
  breaker.failed()
  breaker.started()
  breaker.failed()
  assert.equal(breaker.failures, 1)
  breaker.failed()
  breaker.reset()
  assert.equal(breaker.waitMs, 0)
})
