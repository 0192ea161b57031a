import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAtLeast } from './version.ts'

test('isAtLeast: compares numbers, not text', () => {
  assert.ok(isAtLeast('20.19.0', '20.19'))
  assert.ok(isAtLeast('20.100.0', '20.19'))
  assert.ok(isAtLeast('100.0.0', '20.19'))
  assert.ok(!isAtLeast('20.9.0', '20.19'))
  assert.ok(!isAtLeast('18.20.4', '20.19'))
})
