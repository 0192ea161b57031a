import assert from 'node:assert/strict'
import { it } from 'node:test'
import { definitionDiff } from './definition-diff.ts'

const schema = (properties: object, more: object = {}) => ({ inputSchema: { type: 'object', properties, ...more } })
const meanings = (before: object, after: object) =>
  definitionDiff(before as never, after as never).map(({ at, meaning }) => `${at} ${meaning}`)

it('definitionDiff: nothing for equal definitions, whatever the order of keys and of required names', () => {
  const one = { name: 'x', ...schema({ a: {}, b: {} }, { required: ['a', 'b'] }) }
  const other = { ...schema({ b: {}, a: {} }, { required: ['b', 'a'] }), name: 'x' }
  assert.deepEqual(definitionDiff(one, other), [])
})

for (const [what, before, after, expected] of [
  ['a description', { description: 'a' }, { description: 'b' }, ['/description text']],
  ['a new optional argument', schema({ a: {} }), schema({ a: {}, b: {} }), ['/inputSchema/properties/b wider input']],
  ['a lost argument', schema({ a: {}, b: {} }), schema({ a: {} }), ['/inputSchema/properties/b narrower input']],
  [
    'a newly required argument',
    schema({ a: {} }),
    schema({ a: {} }, { required: ['a'] }),
    ['/inputSchema/required narrower input'],
  ],
  [
    'a lost choice',
    schema({ a: { enum: ['x', 'y'] } }),
    schema({ a: { enum: ['x'] } }),
    ['/inputSchema/properties/a/enum/y narrower input'],
  ],
  [
    'a raised bound',
    schema({ a: { maximum: 1 } }),
    schema({ a: { maximum: 9 } }),
    ['/inputSchema/properties/a/maximum wider input'],
  ],
  [
    'a changed type',
    schema({ a: { type: 'string' } }),
    schema({ a: { type: 'number' } }),
    ['/inputSchema/properties/a/type narrower input'],
  ],
  ['a weaker hint', { annotations: { readOnlyHint: true } }, { annotations: {} }, ['/annotations/readOnlyHint hint']],
  ['output', { outputSchema: { type: 'object' } }, { outputSchema: { type: 'array' } }, ['/outputSchema/type output']],
  [
    'a property called constructor',
    schema({}),
    schema({ constructor: { type: 'string' } }),
    ['/inputSchema/properties/constructor wider input'],
  ],
] as const) {
  it(`definitionDiff: ${what}`, () => assert.deepEqual(meanings(before, after), expected))
}

it('definitionDiff: is bounded', () => {
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`k${index}`, {}]))
  assert.equal(definitionDiff(schema({}), schema(many)).length, 200)
})
