import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adapt } from '../adapter.ts'
import { fillerOf } from './defaults.ts'

const filled = (schema: object, value: unknown): unknown => fillerOf({ ...schema })?.(value)

test('fillerOf has nothing to do for a schema without defaults', () => {
  assert.equal(fillerOf({ type: 'object', properties: { a: { type: 'string' } } }), undefined)
})

test('fillerOf fills what is missing, at every depth, and leaves the given value alone', () => {
  const schema = {
    properties: {
      limit: { default: 5 },
      rows: { items: { properties: { on: { default: true } } } },
      pair: { prefixItems: [{}, { properties: { x: { default: 0 } } }] },
      tags: { default: ['a'] },
    },
    additionalProperties: { properties: { y: { default: null } } },
  }
  const given = { rows: [{}, { on: false }], pair: [1, {}], other: {} }
  const copy = structuredClone(given)
  assert.deepEqual(filled(schema, given), {
    rows: [{ on: true }, { on: false }],
    pair: [1, { x: 0 }],
    other: { y: null },
    limit: 5,
    tags: ['a'],
  })
  assert.deepEqual(given, copy)
})

test('fillerOf gives every value a default of its own', () => {
  const fill = fillerOf({ properties: { tags: { default: [] as string[] } } })
  const one = fill?.({}) as { tags: string[] }
  one.tags.push('mine')
  assert.deepEqual(fill?.({}), { tags: [] })
})

test('fillerOf follows references and allOf, and ends with a schema that contains itself', () => {
  const schema = {
    $defs: { size: { type: 'string', default: 'M' }, sized: { properties: { size: { $ref: '#/$defs/size' } } } },
    allOf: [{ $ref: '#/$defs/sized' }, { properties: { n: { default: 1 } } }],
    properties: { child: { $ref: '#', default: {} } },
  }
  assert.deepEqual(filled(schema, { child: { child: { n: 2 } } }), {
    child: { child: { n: 2, size: 'M', child: {} }, size: 'M', n: 1 },
    size: 'M',
    n: 1,
  })
  const circle = { $ref: '#', properties: { a: { default: 1 } } }
  assert.deepEqual(filled(circle, {}), { a: 1 })
})

test('fillerOf cannot be made to change a prototype', () => {
  const schema = JSON.parse('{"properties":{"__proto__":{"default":{"polluted":true}}}}')
  const value = filled(schema, {}) as { polluted?: boolean }
  assert.equal(value.polluted, undefined)
  assert.deepEqual(Object.keys(value), ['__proto__'])
})

test('adapt: defaults of a JSON Schema are filled in before the check', () => {
  const schema = { type: 'object', properties: { limit: { type: 'integer', default: 5 } }, required: ['limit'] }
  assert.deepEqual(adapt(schema).check({}), { ok: true, value: { limit: 5 } })
  assert.equal((adapt(schema).check({ limit: 'x' }) as { ok: boolean }).ok, false)
})
