import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { HastyClock } from '../../../../test/hasty-clock.ts'
import { Backoff, retryAfterMs } from './backoff.ts'

const limits = { minDelayMs: 500, maxDelayMs: 30_000, maxTries: 8 }

function waits(backoff: Backoff, count: number, askedMs?: number): (number | undefined)[] {
  return Array.from({ length: count }, () => backoff.next(askedMs))
}

test('Backoff: each wait may be twice as long, up to the longest, and then there were tries enough', () => {
  const backoff = new Backoff(limits, new HastyClock(1))
  assert.deepEqual(waits(backoff, 9), [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, undefined])
})

test('Backoff: chance decides how much of it is waited', () => {
  assert.deepEqual(waits(new Backoff(limits, new HastyClock(0)), 2), [0, 0])
  assert.deepEqual(waits(new Backoff(limits, new HastyClock(0.5)), 2), [250, 500])
})

test('Backoff: progress starts anew', () => {
  const backoff = new Backoff(limits, new HastyClock(1))
  waits(backoff, 8)
  backoff.progressed()
  assert.equal(backoff.next(), 500)
})

test('Backoff: waits at least as long as the server asks, and at most twice as long as that or the longest', () => {
  const { minDelayMs: minMs, maxDelayMs: maxMs } = limits
  fc.assert(
    fc.property(fc.nat({ max: 100_000 }), fc.double({ min: 0, max: 1, noNaN: true }), (askedMs, chance) => {
      const wait = new Backoff(limits, new HastyClock(chance)).next(askedMs) ?? Number.NaN
      const asked = Math.min(askedMs, maxMs)
      assert.ok(wait >= asked && wait <= Math.max(minMs, asked * 2))
    }),
  )
})

test('Backoff: an absurd wish of a server is cut to the longest wait', () => {
  assert.equal(new Backoff(limits, new HastyClock(0)).next(Number.POSITIVE_INFINITY), 30_000)
})

test('retryAfterMs: seconds, a date, and what is neither', () => {
  const now = Date.parse('2026-01-01T00:00:00Z')
  assert.equal(retryAfterMs('120', now), 120_000)
  assert.equal(retryAfterMs('Thu, 01 Jan 2026 00:00:10 GMT', now), 10_000)
  for (const value of [null, '', '0', '-5', 'soon', 'Wed, 31 Dec 2025 00:00:00 GMT']) {
    assert.equal(retryAfterMs(value, now), undefined, String(value))
  }
})
