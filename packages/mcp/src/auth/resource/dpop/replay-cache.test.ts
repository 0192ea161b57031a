import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ReplayCache } from './replay-cache.ts'

test('Seen: whatever the times, nothing is taken twice within the time it is remembered for', () => {
  const steps = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(70)), { maxLength: 100 })
  fc.assert(
    fc.property(steps, (visits) => {
      const seen = new ReplayCache(100, 1_000)
      const takenAt = new Map<string, number>()
      let now = 0
      for (const [name, wait] of visits) {
        now += wait
        const first = seen.first(name, now)
        const before = takenAt.get(name)
        if (before !== undefined && now - before < 100) assert.equal(first, false)
        if (before === undefined || now - before >= 200) assert.equal(first, true)
        if (first) takenAt.set(name, now)
      }
    }),
  )
})

test('Seen: a name that cannot be remembered is refused', () => {
  const seen = new ReplayCache(100, 2)
  assert.deepEqual([seen.first('a', 0), seen.first('b', 0), seen.first('c', 0)], [true, true, 'full'])
  assert.equal(seen.first('a', 0), false)
  assert.equal(seen.first('c', 200), true)
})
