import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeProblems } from '../problems.ts'
import { compile } from './compile.ts'
import { SchemaError } from './schema-error.ts'

const person = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 5 },
    age: { type: 'integer', minimum: 0, maximum: 7 },
    tags: { type: 'array', items: { type: 'string' }, minItems: 1, uniqueItems: true },
    kind: { enum: ['a', 'b'] },
  },
  required: ['name'],
  additionalProperties: false,
}

const told: readonly (readonly [schema: unknown, value: unknown, problems: string])[] = [
  [person, { name: 'x', age: 7, tags: ['a'], kind: 'b' }, ''],
  [person, [], 'must be an object'],
  [person, { name: 5 }, 'name: must be a string'],
  [person, {}, 'name: is required'],
  [person, { name: '' }, 'name: must have at least 1 character'],
  [person, { name: 'sixsix' }, 'name: must have at most 5 characters'],
  [person, { name: 'x', age: 8 }, 'age: must be at most 7'],
  [person, { name: 'x', age: 1.5 }, 'age: must be an integer'],
  [person, { name: 'x', age: -1, kind: 'c' }, 'age: must be at least 0; kind: must be "a" or "b"'],
  [person, { name: 'x', tags: [] }, 'tags: must have at least 1 item'],
  [person, { name: 'x', tags: ['a', 2] }, 'tags[1]: must be a string'],
  [person, { name: 'x', tags: ['a', 'b', 'a'] }, 'tags: must not repeat an item: [0] and [2] are equal'],
  [person, { name: 'x', nmae: 'x' }, 'nmae: is not allowed'],
  [{ items: { properties: { 'a b': { type: 'null' } } } }, [{}, { 'a b': 1 }], '[1]["a b"]: must be null'],
  [{ type: ['string', 'null'] }, 5, 'must be a string or null'],
  [{ const: { a: [1] } }, { a: [2] }, 'must be {"a":[1]}'],
  [{ exclusiveMinimum: 0, exclusiveMaximum: 10 }, 0, 'must be greater than 0'],
  [{ exclusiveMinimum: 0, exclusiveMaximum: 10 }, 10, 'must be less than 10'],
  [{ multipleOf: 0.01 }, 0.075, 'must be a multiple of 0.01'],
  [{ pattern: '^[a-z]+$' }, 'A', 'must match the pattern ^[a-z]+$'],
  [{ minProperties: 2 }, { a: 1 }, 'must have at least 2 properties'],
  [{ maxProperties: 1 }, { a: 1, b: 2 }, 'must have at most 1 property'],
  [{ maxItems: 0 }, [1], 'must have at most 0 items'],
  [{ contains: { type: 'string' } }, [1], 'must contain at least 1 matching item'],
  [{ contains: true, maxContains: 1 }, [1, 2], 'must contain at most 1 matching item'],
  [
    { propertyNames: { maxLength: 1 } },
    { ab: 1 },
    'must not have the property "ab": a name must have at most 1 character',
  ],
  [{ dependentRequired: { a: ['b'] } }, { a: 1 }, 'b: is required'],
  [{ not: { type: 'string' } }, 'x', 'must not match the schema under "not"'],
  [{ oneOf: [{ type: 'number' }, { type: 'integer' }] }, 1, 'must fit only one alternative, but fits both 1 and 2'],
  [false, 1, 'is not allowed'],
]

for (const [schema, value, problems] of told)
  test(`compile: ${JSON.stringify(value)} under ${JSON.stringify(schema).slice(0, 60)} is told "${problems}"`, () => {
    assert.equal(describeProblems(compile(schema)(value)), problems)
  })

const circle = { properties: { kind: { const: 'circle' }, radius: { type: 'number' } }, required: ['kind', 'radius'] }
const square = { properties: { kind: { const: 'square' }, side: { type: 'number' } }, required: ['kind', 'side'] }

test('compile: a union of kinds is told as one list', () => {
  const validate = compile({ anyOf: [{ type: 'string' }, { const: 5 }, { type: 'null' }] })
  assert.equal(describeProblems(validate(true)), 'must be a string, 5 or null')
})

test('compile: a union is told in the words of the alternative that nearly fits', () => {
  const validate = compile({ oneOf: [{ type: 'string' }, circle, square] })
  assert.equal(describeProblems(validate({ kind: 'square', side: 'x' })), 'side: must be a number')
  assert.equal(
    describeProblems(validate({ kind: 'star' })),
    'must fit one of 3 alternatives: must be a string, kind must be "circle" and radius is required ' +
      'or kind must be "square" and side is required',
  )
})

test('compile: only so many unions of one value are explained at length', () => {
  const union = { anyOf: [{ type: 'string' }, { type: 'null' }] }
  const problems = compile({ items: union }, { maxProblems: 100 })(Array.from({ length: 60 }, () => 1))
  assert.equal(problems[49]?.message, 'must be a string or null')
  assert.equal(problems[50]?.message, 'must fit one of 2 alternatives')
})

test('compile: problems stop at a limit and say so', () => {
  const problems = compile({ items: { type: 'string' } }, { maxProblems: 2 })([1, 2, 3])
  assert.deepEqual(problems, [
    { path: '[0]', message: 'must be a string' },
    { path: '[1]', message: 'must be a string' },
    { path: '', message: 'has more problems than these' },
  ])
})

test('compile: prototype names are ordinary names', () => {
  const schema = JSON.parse(`{
    "properties": { "__proto__": { "type": "string" }, "constructor": { "type": "number" } },
    "required": ["toString"], "additionalProperties": false
  }`)
  const validate = compile(schema)
  assert.equal(describeProblems(validate({})), 'toString: is required')
  assert.equal(
    describeProblems(validate(JSON.parse('{"__proto__": 1, "constructor": "x", "toString": 1}'))),
    '__proto__: must be a string; constructor: must be a number; toString: is not allowed',
  )
})

test('compile: a member that is undefined is a member that is not there', () => {
  const validate = compile({ properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false })
  assert.equal(describeProblems(validate({ a: undefined })), 'a: is required')
  assert.deepEqual(validate({ a: 'x', b: undefined }), [])
})

test('compile: two schemas with one $id never meet', () => {
  const $id = 'https://example.com/schema'
  const first = compile({ $id, $ref: '#/$defs/it', $defs: { it: { type: 'string' } } })
  const second = compile({ $id, $ref: '#/$defs/it', $defs: { it: { type: 'number' } } })
  assert.deepEqual([first('x'), second(1)], [[], []])
  assert.deepEqual([first(1).length, second('x').length], [1, 1])
})

test('compile: a validation that ended early leaves nothing to the next', () => {
  const validate = compile({ properties: { next: { $ref: '#' }, end: { type: 'null' } } }, { maxNesting: 3 })
  const deep = { next: { next: { next: { next: {} } } } }
  assert.deepEqual(validate(deep), [{ path: '', message: 'too deeply nested to check' }])
  assert.deepEqual(validate({ end: 1 }), [{ path: 'end', message: 'must be null' }])
})

test('compile: format, content and unknown keywords assert nothing', () => {
  const schema = { format: 'email', contentEncoding: 'base64', 'x-mcp-header': 'Region', dependencies: { a: ['b'] } }
  assert.deepEqual(compile(schema)('not an email'), [])
})

const refused: readonly (readonly [schema: unknown, message: RegExp])[] = [
  [
    { $schema: 'http://json-schema.org/draft-04/schema#' },
    /dialect "http:\/\/json-schema.org\/draft-04\/schema#" is not/,
  ],
  [{ $ref: 'https://example.com/other' }, /Cannot resolve \$ref "https:\/\/example.com\/other": it points outside/],
  [{ $ref: '#/$defs/none' }, /Cannot resolve \$ref "#\/\$defs\/none": the schema has no "\$defs" there/],
  [{ $ref: '#none' }, /no subschema has the anchor "none"/],
  [{ $ref: '#%' }, /its fragment is not percent-encoded/],
  [{ $id: 'http://[' }, /it is not a URI reference/],
  [{ allOf: [{ $id: 'a' }, { $id: 'a' }] }, /two subschemas have the \$id/],
  [{ type: 'strin' }, /"type" must be "string", "number", .* or "object"/],
  [{ minimum: '5' }, /"minimum" must be a number/],
  [{ minLength: -1 }, /"minLength" must be a non-negative integer/],
  [{ multipleOf: 0 }, /"multipleOf" must be greater than 0/],
  [{ required: true }, /"required" must be an array of strings/],
  [{ properties: [] }, /"properties" must be an object/],
  [{ properties: { a: 'string' } }, /a subschema is neither an object nor a boolean/],
  [{ anyOf: {} }, /"anyOf" must be an array/],
  ['string', /a subschema is neither an object nor a boolean/],
]

for (const [schema, message] of refused)
  test(`compile refuses ${JSON.stringify(schema)}`, () => {
    assert.throws(
      () => compile(schema),
      (error) => error instanceof SchemaError && message.test(error.message),
    )
  })
