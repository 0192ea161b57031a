import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compile } from './compile.ts'

const fits = (schema: unknown, value: unknown) => compile(schema)(value).length === 0

test('$ref reaches a resource that is embedded under its own $id, by pointer and by anchor', () => {
  const schema = {
    $id: 'https://example.com/root/',
    properties: {
      byUri: { $ref: 'leaf' },
      byAnchor: { $ref: 'leaf#short' },
      byPointer: { $ref: 'leaf#/$defs/a~1b%25' },
    },
    $defs: { leaf: { $id: 'leaf', type: 'string', $defs: { 'a/b%': { $anchor: 'short', maxLength: 1 } } } },
  }
  assert.ok(fits(schema, { byUri: 'xx', byAnchor: 'x', byPointer: 'x' }))
  assert.ok(!fits(schema, { byUri: 1 }))
  assert.ok(!fits(schema, { byAnchor: 'xx' }))
  assert.ok(!fits(schema, { byPointer: 'xx' }))
})

test('$ref reaches a subschema under an unknown keyword', () => {
  assert.ok(!fits({ $ref: '#/examples/0', examples: [{ type: 'string' }] }, 1))
})

test('$dynamicRef means the outermost resource with the anchor', () => {
  const tree = {
    $id: 'https://example.com/tree',
    $dynamicAnchor: 'node',
    type: 'object',
    properties: { children: { type: 'array', items: { $dynamicRef: '#node' } } },
  }
  const strict = {
    $id: 'https://example.com/strict',
    $dynamicAnchor: 'node',
    $ref: 'tree',
    unevaluatedProperties: false,
    $defs: { tree },
  }
  const misspelled = { children: [{ chidlren: [] }] }
  assert.ok(fits(tree, misspelled))
  assert.ok(!fits(strict, misspelled))
  assert.ok(fits(strict, { children: [{ children: [] }] }))
})

test('$recursiveRef of 2019-09 means the outermost resource that allows it', () => {
  const tree = (recursive: boolean) => ({
    $id: 'https://example.com/tree',
    $recursiveAnchor: recursive,
    properties: { children: { items: { $recursiveRef: '#' } } },
  })
  const strict = (recursive: boolean) => ({
    $schema: 'https://json-schema.org/draft/2019-09/schema',
    $id: 'https://example.com/strict',
    $recursiveAnchor: true,
    $ref: 'tree',
    unevaluatedProperties: false,
    $defs: { tree: tree(recursive) },
  })
  const misspelled = { children: [{ chidlren: [] }] }
  assert.ok(!fits(strict(true), misspelled))
  assert.ok(fits(strict(false), misspelled))
})

test('an embedded resource keeps the dialect it names', () => {
  const list = { $id: 'list', $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'string' }] }
  const schema = { $ref: 'list', $defs: { list } }
  assert.ok(!fits(schema, [1]))
  assert.ok(fits(schema, ['x', 1]))
})

test('draft-07 ignores what stands beside $ref, later dialects do not', () => {
  const schema = { $ref: '#/definitions/any', type: 'string', definitions: { any: true } }
  assert.ok(fits({ $schema: 'http://json-schema.org/draft-07/schema', ...schema }, 1))
  assert.ok(!fits({ $schema: 'https://json-schema.org/draft/2019-09/schema', ...schema }, 1))
  assert.ok(!fits(schema, 1))
})

test('2019-09 leaves an item unevaluated that contains matches, 2020-12 does not', () => {
  const schema = { contains: { type: 'string' }, unevaluatedItems: false }
  assert.ok(fits(schema, ['x']))
  assert.ok(!fits({ $schema: 'https://json-schema.org/draft/2019-09/schema', ...schema }, ['x']))
})
