import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { keyedDigest } from './keyed-digest.ts'

test('keyedDigest: is HMAC-SHA-256, whatever the key and the text', () => {
  for (const text of ['', '{"a":1}', 'ä€𝄞\u0000', 'x'.repeat(10_000)]) {
    for (const bytes of [1, 32, 48]) {
      const key = randomBytes(bytes).toString('base64url')
      assert.equal(keyedDigest(key)(text), createHmac('sha256', key).update(text).digest('base64url'))
    }
  }
})
