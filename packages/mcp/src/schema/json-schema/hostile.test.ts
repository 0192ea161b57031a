import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compile } from './compile.ts'
import { SchemaError } from './schema-error.ts'

const tooCostly = { path: '', message: 'too costly to check' }
const tooDeep = { path: '', message: 'too deeply nested to check' }

/** The fewest steps with which a value is judged. */
function steps(schema: unknown, value: unknown): number {
  let [least, most] = [0, 400_000]
  while (least < most) {
    const middle = (least + most) >> 1
    const gaveUp = compile(schema, { maxSteps: middle })(value).some(({ message }) => message === tooCostly.message)
    if (gaveUp) least = middle + 1
    else most = middle
  }
  return least
}

function nest(levels: number, wrap: (inner: unknown) => unknown, core: unknown): unknown {
  let value = core
  for (let level = 0; level < levels; level++) value = wrap(value)
  return value
}

const deepArray = nest(200_000, (inner) => [inner], 0)

test('a plain object costs a step for each keyword and each member', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number', minimum: 0 } } }
  assert.equal(steps(schema, { a: 'x', b: 1 }), 6)
})

test('steps grow with the value, not with the square of it', () => {
  const schema = { uniqueItems: true, items: { type: 'object', properties: { a: { enum: ['x', 'y'] } } } }
  const items = (length: number) => Array.from({ length }, (_, index) => ({ a: 'x', index }))
  const [one, four] = [steps(schema, items(500)), steps(schema, items(2_000))]
  assert.ok(four < 4.5 * one, `${one} and ${four} steps`)
})

test('an enum costs the same however many values it has', () => {
  const large = { enum: Array.from({ length: 20_000 }, (_, index) => `value ${index}`) }
  assert.equal(steps(large, 'value 19999'), steps({ enum: ['a'] }, 'a'))
})

test('nested quantifiers end with a verdict', () => {
  const validate = compile({ pattern: '^(a+)+$' })
  assert.deepEqual(validate('a'.repeat(50_000)), [])
  assert.equal(validate(`${'a'.repeat(10_000)}!`)[0]?.message, 'must match the pattern ^(a+)+$')
  assert.deepEqual(validate(`${'a'.repeat(1_000_000)}!`), [tooCostly])
})

test('alternatives that double with every reference end when the steps do', () => {
  const double = (next: string) => ({ oneOf: [{ $ref: next }, { $ref: next }] })
  const levels = Array.from({ length: 40 }, (_, index) => [`level${index}`, double(`#/$defs/level${index + 1}`)])
  const schema = { $ref: '#/$defs/level0', $defs: { ...Object.fromEntries(levels), level40: false } }
  assert.deepEqual(compile(schema)(1), [tooCostly])
})

test('alternatives inside alternatives are explained within the steps it took to refuse them', () => {
  const schema = nest(10, (inner) => ({ oneOf: [inner, inner] }), { type: 'string' })
  assert.ok(steps(schema, 1) < 40_000)
})

test('references in a circle end when the nesting does', () => {
  assert.deepEqual(compile({ $ref: '#' })(1), [tooDeep])
  assert.deepEqual(compile({ anyOf: [{ $ref: '#' }, { $ref: '#' }] })(1), [tooDeep])
  const chain = Array.from({ length: 4_000 }, (_, index) => [`d${index}`, { $ref: `#/$defs/d${(index + 1) % 4_000}` }])
  assert.deepEqual(compile({ $ref: '#/$defs/d0', $defs: Object.fromEntries(chain) })(1), [tooDeep])
})

test('a list of a hundred links is not too deep, whether it fits or has to be explained', () => {
  const list = { type: 'object', properties: { next: { anyOf: [{ $ref: '#' }, { type: 'null' }] } } }
  const validate = compile(list)
  assert.deepEqual(validate(nest(150, (next) => ({ next }), {})), [])
  assert.equal(validate(nest(150, (next) => ({ next }), 1)).length, 1)
  assert.deepEqual(validate(nest(200_000, (next) => ({ next }), {})), [tooDeep])
})

test('values too deep for the stack are judged too deep, by every keyword that looks inside', () => {
  const schemas = [{ items: { $ref: '#' } }, { uniqueItems: true }, { const: [[]] }, { enum: [{}] }]
  for (const schema of schemas) assert.deepEqual(compile(schema)([deepArray, deepArray]), [tooDeep])
})

test('every keyword that lists members pays for all of them, even if the first decides', () => {
  const wide = Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`member${index}`, index]))
  const keywords = [{ maxProperties: 1 }, { additionalProperties: false }, { propertyNames: false }]
  for (const keyword of [...keywords, { unevaluatedProperties: false }]) {
    const schema = { anyOf: Array.from({ length: 1_000 }, () => keyword) }
    assert.deepEqual(compile(schema)(wide), [tooCostly], JSON.stringify(keyword))
  }
})

test('every keyword that reads a string to its end pays for its length', () => {
  const long = 'é'.repeat(100_000)
  for (const keyword of [{ maxLength: 60_000 }, { enum: [['x']], uniqueItems: true }, { pattern: '^.*$' }]) {
    const schema = { allOf: Array.from({ length: 20 }, () => keyword) }
    const value = 'enum' in keyword ? [long, long] : long
    assert.notDeepEqual(compile(schema)(value), [], JSON.stringify(keyword))
    assert.ok(steps(schema, value) >= long.length / 32)
  }
})

test('exact multiples of fractions pay for long division', () => {
  const schema = { items: { multipleOf: 1e-300 } }
  assert.deepEqual(compile(schema)(Array.from({ length: 10_000 }, () => 1.5e300)), [tooCostly])
})

test('a schema nested deeper than the limit is refused', () => {
  assert.doesNotThrow(() => compile(nest(32, (items) => ({ items }), {})))
  assert.throws(() => compile(nest(33, (items) => ({ items }), {})), /nested more than 32 deep/)
  assert.throws(() => compile(nest(200_000, (items) => ({ items }), {})), SchemaError)
  assert.throws(
    () => compile({ allOf: [{ $ref: '#/x' }], x: nest(40, (items) => ({ items }), {}) }),
    /nested more than 32/,
  )
})

test('a schema with more subschemas than the limit is refused', () => {
  const wide = (length: number) => ({ anyOf: Array.from({ length }, () => true) })
  assert.doesNotThrow(() => compile(wide(4_999)))
  assert.throws(() => compile(wide(5_000)), /more than 5000 subschemas/)
  const shared = nest(30, (inner) => ({ allOf: [inner, inner] }), {})
  assert.throws(() => compile(shared), /more than 5000 subschemas/)
})

test('values inside a schema that are too deep for the stack are refused', () => {
  for (const schema of [{ const: deepArray }, { enum: [deepArray] }, { type: deepArray }, { items: deepArray }])
    assert.throws(() => compile(schema), SchemaError)
  assert.doesNotThrow(() => compile({ default: deepArray, examples: deepArray, 'x-unknown': deepArray }))
})
