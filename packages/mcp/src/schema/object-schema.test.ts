import assert from 'node:assert/strict'
import { test } from 'node:test'
import { objectSchema } from './object-schema.ts'

test('objectSchema: completes a root that describes nothing but objects', () => {
  const branch = { type: 'object' }
  const roots = [{}, { properties: {} }, { anyOf: [branch, branch] }, { oneOf: [branch] }, { allOf: [branch, {}] }]
  for (const root of [...roots, { $ref: '#/$defs/a', $defs: { a: branch } }, { enum: [{}] }])
    assert.deepEqual(objectSchema(root, 'it'), { ...root, type: 'object' })
  assert.equal(objectSchema(branch, 'it'), branch)
})

test('objectSchema: refuses a root that describes anything else, and names it', () => {
  const roots = [{ type: 'string' }, { type: ['object', 'null'] }, { anyOf: [{ type: 'object' }, { type: 'null' }] }]
  const more = [
    { const: 1 },
    { enum: ['a'] },
    { allOf: [{ type: 'array' }] },
    { $ref: '#/$defs/a', $defs: { a: { type: 'null' } } },
  ]
  for (const root of [...roots, ...more])
    assert.throws(
      () => objectSchema(root, 'the input of tool "t"'),
      /Cannot use the input of tool "t": its schema allows other/,
    )
  assert.throws(() => objectSchema({ $ref: '#' }, 'it'), /it refers to itself/)
})
