import assert from 'node:assert/strict'
import { test } from 'node:test'
import { schemaProblems } from './use-edited-json.ts'

const schema = {
  type: 'object',
  properties: { bytes: { type: 'integer', minimum: 1 }, name: { type: 'string' } },
  required: ['bytes'],
}

test('schemaProblems: each problem of an edit with the member that it is about', () => {
  assert.deepEqual(schemaProblems({ bytes: 3 }, schema), [])
  assert.deepEqual(schemaProblems({ name: 'a' }, schema), ['bytes: This is required'])
  assert.match(schemaProblems({ bytes: 0, name: 4 }, schema).join('; '), /^bytes: .*; name: This must be text$/)
  assert.deepEqual(schemaProblems({}, schema, 'structuredContent'), ['structuredContent/bytes: This is required'])
})

test('schemaProblems: none without a schema to check by', () => {
  assert.deepEqual(schemaProblems({ any: 1 }, undefined), [])
})
