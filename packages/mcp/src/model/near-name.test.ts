import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nearName } from './near-name.ts'

const known = ['input', 'output', 'annotations', 'description', 'visible']

test('nearName finds what was meant: letters changed, left out, added, swapped, in another case', () => {
  assert.equal(nearName('inptu', known), 'input')
  assert.equal(nearName('Output', known), 'output')
  assert.equal(nearName('anotation', known), 'annotations')
  assert.equal(nearName('descripton', known), 'description')
  assert.equal(nearName('visble', known), 'visible')
})

test('nearName names nothing where nothing is near, and ends soon for a long name', () => {
  assert.equal(nearName('execute', known), undefined)
  assert.equal(nearName('', known), undefined)
  assert.equal(nearName('x'.repeat(1_000_000), ['x'.repeat(1_000_000)]), undefined)
})
