import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fromBase64url, toBase64url } from './base64url.ts'

test('toBase64url: agrees with Buffer, and fromBase64url reads it back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      const text = toBase64url(bytes)
      assert.equal(text, Buffer.from(bytes).toString('base64url'))
      assert.deepEqual(fromBase64url(text), bytes)
    }),
  )
})

for (const text of ['A', 'AB', 'AA==', 'AA=', '+/+/', 'AA A', ' AAAA', 'AAAA\n', 'AA.A', 'é'])
  test(`fromBase64url: refuses ${JSON.stringify(text)}, which nothing is written as`, () => {
    assert.equal(fromBase64url(text), undefined)
  })
