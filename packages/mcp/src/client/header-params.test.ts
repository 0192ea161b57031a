import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelsOf } from './header-params.ts'

const params = [
  { name: 'Region', path: ['region'] },
  { name: 'Count', path: ['options', 'count'] },
]

test('labelsOf: a marked argument is found at its path and written as text', () => {
  assert.deepEqual(labelsOf(params, { region: '', options: { count: 0 }, other: 1 }), { Region: '', Count: '0' })
})

test('labelsOf: a null, absent or inherited value does not travel', () => {
  assert.deepEqual(labelsOf(params, { region: null, options: {} }), {})
  assert.deepEqual(labelsOf([{ name: 'X', path: ['constructor'] }], {}), {})
})
