import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cursorSeal } from './sealed-cursor.ts'

const refusal = /"cursor" is not one that this list gave/

test('cursorSeal: a place comes back as it was, for the caller and the list it was sealed for', () => {
  const { seal, open } = cursorSeal(['key'])
  const cursor = seal(['notes', 'page 2'], 'ann')
  assert.deepEqual(open(cursor, 'ann'), ['notes', 'page 2'])
  assert.throws(() => open(cursor, 'bob'), refusal)
  assert.notEqual(seal(['notes', 'page 2'], 'ann'), cursor)
  assert.ok(!Buffer.from(cursor, 'base64url').toString('latin1').includes('notes'))
})

test('cursorSeal: a cursor that was changed, cut or made elsewhere is refused', () => {
  const { seal, open } = cursorSeal(['key'])
  const cursor = seal(['notes', null], 'ann')
  const bytes = Buffer.from(cursor, 'base64url')
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    assert.throws(() => open(changed.toString('base64url'), 'ann'), refusal)
  }
  // a shorter tag would be easier to guess
  for (const cut of [
    '',
    cursor.slice(0, 20),
    cursor.slice(0, -2),
    bytes.subarray(0, 16).toString('base64url'),
    undefined,
    7,
  ])
    assert.throws(() => open(cut, 'ann'), refusal)
  assert.throws(() => open(cursorSeal(['another']).seal(['notes', null], 'ann'), 'ann'), refusal)
})

test('cursorSeal: an earlier key still opens, and the first one seals', () => {
  const before = cursorSeal(['old']).seal(['notes', null], 'ann')
  const now = cursorSeal(['new', 'old'])
  assert.deepEqual(now.open(before, 'ann'), ['notes', null])
  assert.deepEqual(cursorSeal(['new']).open(now.seal(['shop', null], 'ann'), 'ann'), ['shop', null])
})
