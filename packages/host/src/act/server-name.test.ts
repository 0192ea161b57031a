import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../../tools/lib/any-character.ts'
import { isServerName, slugOf } from './server-name.ts'

test('slugOf: makes a legal name of anything', () => {
  assert.equal(slugOf('My GitHub (work)'), 'my-github-work')
  assert.equal(slugOf('Über'), 'uber')
  assert.match(slugOf('中文'), /^server-[0-9a-f]{8}$/)
  fc.assert(fc.property(fc.string({ unit: anyCharacter }), (text) => isServerName(slugOf(text))))
})

test('slugOf: a legal name stays, and a slug is its own', () => {
  assert.equal(slugOf('github-2'), 'github-2')
  fc.assert(fc.property(fc.string(), (text) => slugOf(slugOf(text)) === slugOf(text)))
})
