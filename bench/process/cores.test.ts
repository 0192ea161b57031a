import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseCores } from './cores.ts'

test('parseCores: reads single cores and ranges', () => {
  assert.deepEqual(parseCores('0-2,5'), [0, 1, 2, 5])
  assert.deepEqual(parseCores('7'), [7])
})

test('parseCores: finds nothing where no number stands', () => {
  assert.deepEqual(parseCores('none'), [])
})
