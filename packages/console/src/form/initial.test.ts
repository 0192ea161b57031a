import assert from 'node:assert/strict'
import { test } from 'node:test'
import { initialValue } from './initial.ts'

test('initialValue: defaults are as declared, and what is optional and was not set is not sent', () => {
  const schema = {
    type: 'object',
    properties: {
      dry: { type: 'boolean', default: true },
      quiet: { type: 'boolean' },
      note: { type: 'string' },
      count: { type: 'number', default: 0 },
      mode: { const: 'fast' },
      nested: { type: 'object', properties: { deep: { type: 'string', default: 'yes' } } },
    },
    required: ['mode'],
  }
  assert.deepEqual(initialValue(schema, schema), { dry: true, count: 0, mode: 'fast' })
})

test('initialValue: a property may have the name of something that every object has', () => {
  const properties = JSON.parse('{"constructor":{"type":"string","default":"mine"},"toString":{"type":"string"}}')
  const schema = { type: 'object', properties }
  assert.deepEqual(Object.entries(initialValue(schema, schema) as object), [['constructor', 'mine']])
})
