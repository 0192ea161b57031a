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

test('spanOf: acts of the same moment have different spans', () => {
  const spans = new Set(Array.from({ length: 1_000 }, () => spanOf(newActId())))
  assert.equal(spans.size, 1_000)
  for (const span of spans) assert.match(span, /^[0-9a-f]{16}$/)
})
