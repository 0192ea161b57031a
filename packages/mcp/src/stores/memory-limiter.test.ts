import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MemoryLimiter } from './memory-limiter.ts'

/** A limiter whose time is set by the test. */
function limiterAt(time: { now: number }, maxRates = 10) {
  return new MemoryLimiter({ limits: { maxRates }, now: () => time.now })
}
const rate = (key: string, burst = 3) => ({ key, intervalMs: 1_000, burst })

test('MemoryLimiter: passes a burst at once, then one per interval, and says how long to wait', () => {
  const time = { now: 500 }
  const limiter = limiterAt(time)
  const take = () => limiter.take([rate('a')])
  assert.deepEqual([take(), take(), take()], [undefined, undefined, undefined])
  assert.deepEqual(take(), { key: 'a', afterMs: 1_000 })
  time.now += 400
  assert.deepEqual(take(), { key: 'a', afterMs: 600 })
  time.now += 600
  assert.deepEqual([take(), take()], [undefined, { key: 'a', afterMs: 1_000 }])
  time.now += 60_000
  assert.deepEqual([take(), take(), take(), take()?.afterMs], [undefined, undefined, undefined, 1_000])
})

test('MemoryLimiter: over any time passes the rate and one burst, whatever comes', () => {
  const time = { now: 0.1 }
  const limiter = limiterAt(time)
  let passed = 0
  for (; time.now < 60_000; time.now += 7.3)
    if (!limiter.take([{ key: 'a', intervalMs: 1_000 / 3, burst: 5 }])) passed++
  assert.equal(passed, 180 + 4)
})

test('MemoryLimiter: counts against all rates or none, and names the one that takes longest', () => {
  const limiter = limiterAt({ now: 0 })
  const slow = { key: 'slow', intervalMs: 5_000, burst: 1 }
  assert.equal(limiter.take([rate('a'), slow]), undefined)
  assert.deepEqual(limiter.take([rate('a'), slow]), { key: 'slow', afterMs: 5_000 })
  assert.equal(limiter.take([rate('a')]), undefined)
  assert.equal(limiter.take([rate('a')]), undefined, 'the refused call was not counted')
  assert.deepEqual(limiter.take([slow, rate('a')]), { key: 'slow', afterMs: 5_000 })
})

test('MemoryLimiter: keeps so many rates, and forgets the one that was used longest ago', () => {
  const limiter = limiterAt({ now: 0 }, 1_000)
  for (let caller = 0; caller < 100_000; caller++) {
    assert.equal(limiter.take([rate('server', Number.POSITIVE_INFINITY), rate(`caller ${caller}`, 1)]), undefined)
    assert.ok(limiter.live.rates <= 1_000)
  }
  assert.equal(limiter.live.rates, 1_000)
  assert.ok(limiter.take([rate('caller 99999', 1)]), 'a recent caller is known')
  assert.equal(limiter.take([rate('caller 0', 1)]), undefined, 'an old one begins anew')
})

test('MemoryLimiter: lets go of rates that are no longer used', () => {
  const time = { now: 0 }
  const limiter = limiterAt(time, 1_000)
  for (let caller = 0; caller < 100; caller++) limiter.take([rate(`caller ${caller}`)])
  time.now = 10_000
  for (let caller = 0; caller < 100; caller++) limiter.take([rate(`later ${caller}`)])
  assert.equal(limiter.live.rates, 100)
})
