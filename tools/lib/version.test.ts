import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptsVersion, isAtLeast } from './version.ts'

test('isAtLeast: compares numbers, not text', () => {
  assert.ok(isAtLeast('20.19.0', '20.19'))
  assert.ok(isAtLeast('20.100.0', '20.19'))
  assert.ok(isAtLeast('100.0.0', '20.19'))
  assert.ok(!isAtLeast('20.9.0', '20.19'))
  assert.ok(!isAtLeast('18.20.4', '20.19'))
})

test('acceptsVersion: every form of range that packages write', () => {
  const accepting = ['*', '', '>=20', '>= 0.10', '>=10.x', '^20.19.0 || >=22.12.0', '20 || >=22', '20.x', '>=18 <21']
  for (const range of [...accepting, '~20.19.0', '<=20.19.0', '=20.19.0', '6.* || 8.* || >= 10.*'])
    assert.ok(acceptsVersion(range, '20.19.0'), `"${range}" accepts`)
  for (const range of [
    '>=22',
    '^18.19.0 || >=20.20',
    '>=18 <20',
    '^20.20.0',
    '~20.18.0',
    '18.x',
    '>20.19.0',
    '21 || 22',
  ])
    assert.ok(!acceptsVersion(range, '20.19.0'), `"${range}" refuses`)
})
