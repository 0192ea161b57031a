import assert from 'node:assert/strict'
import { test } from 'node:test'
import { figure, textTable } from './table.ts'

test('textTable: words stand left, figures right', () => {
  const table = textTable([
    ['name', 'revision', 'calls/s'],
    ['raw', '2026-07-28', '24 200'],
    ['trunkline', '', '9.50'],
  ])
  assert.deepEqual(table.split('\n'), [
    'name       revision    calls/s',
    '─────────  ──────────  ───────',
    'raw        2026-07-28   24 200',
    'trunkline                 9.50',
  ])
})

test('textTable: rows may be shorter than the head', () => {
  assert.equal(textTable([['a', 'b'], ['x']]), 'a  b\n─  ─\nx')
})

test('textTable: nothing is an empty table', () => {
  assert.equal(textTable([]), '')
})

test('figure: shows three digits that matter', () => {
  assert.deepEqual([24_213.4, 512.6, 12.34, 0.567, 0, Number.NaN].map(figure), [
    '24 213',
    '513',
    '12.3',
    '0.57',
    '0.00',
    '–',
  ])
})
