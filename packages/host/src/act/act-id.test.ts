import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newActId, spanOf } from './act-id.ts'

test('newActId: a UUID of version 7, in the order of time', () => {
  const before = Date.now()
  const id = newActId()
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  const time = Number.parseInt(id.replace('-', '').slice(0, 12), 16)
  assert.ok(time >= before && time <= Date.now(), id)
})

test('newActId: ids of one millisecond are in the order in which they were made', (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 1_790_000_000_000 })
  const ids = Array.from({ length: 1_000 }, () => newActId())
  assert.deepEqual(ids.toSorted(), ids)
  t.mock.timers.setTime(1_790_000_000_001)
  assert.ok(newActId() > (ids.at(-1) as string))
})

test('newActId: more ids in one millisecond than it can count are still different', (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 1_790_000_000_002 })
  assert.equal(new Set(Array.from({ length: 10_000 }, () => newActId())).size, 10_000)
})

test('spanOf: acts of the same moment have different spans', () => {
  const spans = new Set(Array.from({ length: 1_000 }, () => spanOf(newActId())))
  assert.equal(spans.size, 1_000)
  for (const span of spans) assert.match(span, /^[0-9a-f]{16}$/)
})
