import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { lacking } from '../../../../../tools/lib/needs.ts'
import { hasSuite, suiteGroups } from '../../../test/json-schema-suite.ts'
import { isObject } from '../../wire/messages.ts'
import { compile } from './compile.ts'

const $schema = 'https://json-schema.org/draft/2019-09/schema'
const tree = { $recursiveAnchor: true, properties: { inner: { $recursiveRef: '#' } } }
const numbers = { $id: 'https://example.com/numbers', $ref: 'tree', $recursiveAnchor: true, required: ['n'] }

interface Group {
  readonly schema: object
  readonly valid: readonly unknown[]
  readonly invalid: readonly unknown[]
  /** True if the referee goes by another draft. */
  readonly isDisputed?: true
}

/** Rules of 2019-09 that differ from the drafts before and after it. */
const own: { readonly [rule: string]: Group } = {
  'items is a list, and additionalItems is for the rest': {
    schema: { items: [{ type: 'string' }, true], additionalItems: { type: 'null' } },
    valid: [[], ['a'], ['a', 1], ['a', 1, null, null]],
    invalid: [[1], ['a', 1, 2]],
  },
  'additionalItems is for nothing beside one schema for all': {
    schema: { items: { type: 'string' }, additionalItems: false },
    valid: [['a', 'b', 'c']],
    invalid: [['a', 1]],
  },
  'prefixItems is no keyword yet': { schema: { prefixItems: [false] }, valid: [['a'], []], invalid: [] },
  'dependencies is none any more': {
    schema: { dependencies: { a: ['b'] } },
    valid: [{ a: 1 }],
    invalid: [],
    isDisputed: true,
  },
  'dependentRequired and dependentSchemas took its place': {
    schema: { dependentRequired: { a: ['b'] }, dependentSchemas: { b: { maxProperties: 2 } } },
    valid: [{}, { a: 1, b: 2 }, { b: 1, c: 2 }],
    invalid: [{ a: 1 }, { a: 1, b: 2, c: 3 }],
  },
  'contains is counted': {
    schema: { contains: { type: 'string' }, minContains: 2, maxContains: 3 },
    valid: [['a', 1, 'b'], ['a', 'b', 'c'], {}],
    invalid: [[], ['a'], ['a', 'b', 'c', 'd']],
  },
  'minContains of none asks for nothing': {
    schema: { contains: { type: 'string' }, minContains: 0, maxContains: 1 },
    valid: [[], [1], ['a', 1]],
    invalid: [['a', 'b']],
  },
  'a reference and what stands beside it both count': {
    schema: { $defs: { short: { maxLength: 2 } }, $ref: '#/$defs/short', minLength: 1 },
    valid: ['a', 'ab', 5],
    invalid: ['', 'abc'],
  },
  'a reference leads to an anchor, or to what has an id': {
    schema: {
      $defs: { a: { $anchor: 'word', type: 'string' }, b: { $id: 'https://example.com/b', type: 'null' } },
      items: [{ $ref: '#word' }, { $ref: 'https://example.com/b' }],
    },
    valid: [['a', null]],
    invalid: [[1], ['a', 'b']],
  },
  'unevaluatedProperties is for what no other keyword of the value saw': {
    schema: {
      properties: { a: true },
      anyOf: [
        { properties: { b: true }, required: ['b'] },
        { patternProperties: { '^c': true }, required: ['c1'] },
      ],
      unevaluatedProperties: false,
    },
    valid: [
      { a: 1, b: 2 },
      { c1: 1, c2: 2 },
    ],
    invalid: [
      { a: 1, b: 2, c1: 3, d: 4 },
      { b: 1, x: 2 },
    ],
  },
  'unevaluatedItems is for what items leaves': {
    schema: { allOf: [{ items: [true, { type: 'number' }] }], unevaluatedItems: { type: 'string' } },
    valid: [
      [1, 2],
      [1, 2, 'a'],
    ],
    invalid: [[1, 2, 3]],
  },
  'an item that contains was looking for is not seen by it': {
    schema: { contains: { type: 'string' }, unevaluatedItems: false },
    valid: [],
    invalid: [['a'], [1]],
    isDisputed: true,
  },
  'a recursive reference leads to the same schema': {
    schema: { ...tree, unevaluatedProperties: false },
    valid: [{}, { inner: { inner: {} } }],
    invalid: [{ other: 1 }, { inner: { other: 1 } }],
  },
  'a recursive reference leads to the outermost schema that extends its own': {
    schema: { ...numbers, $defs: { tree: { $id: 'tree', ...tree } } },
    valid: [{ n: 1 }, { n: 1, inner: { n: 2 } }],
    invalid: [{}, { n: 1, inner: {} }],
  },
  'a recursive reference stays inside where nothing is to be extended': {
    schema: { ...numbers, $recursiveAnchor: false, $defs: { tree: { $id: 'tree', ...tree } } },
    valid: [{ n: 1 }, { n: 1, inner: {} }],
    invalid: [{}],
  },
}

const options = { strict: false, validateFormats: false, validateSchema: false, meta: false, logger: false } as const

function ajvFor(schema: unknown) {
  return new Ajv2019(options).compile<unknown>(schema as object)
}

for (const [rule, { schema, valid, invalid, isDisputed = false }] of Object.entries(own))
  test(`compile in 2019-09: ${rule}`, () => {
    for (const trusted of [false, true]) {
      const validate = compile({ $schema, ...schema }, { trusted })
      for (const value of valid) assert.deepEqual(validate(value), [], JSON.stringify(value))
      for (const value of invalid) assert.notDeepEqual(validate(value), [], JSON.stringify(value))
    }
    if (isDisputed) return
    const referee = ajvFor({ $schema, ...schema })
    for (const value of valid) assert.ok(referee(value), `the referee too: ${JSON.stringify(value)}`)
    for (const value of invalid) assert.ok(!referee(value), `the referee too: ${JSON.stringify(value)}`)
  })

/**
 * Groups where the referee goes by another draft, by the names every object inherits, or wrong: see also
 * differential.test.ts.
 */
const notForReferee = /^(?:dependencies|dynamicRef|unevaluated\w+)\.json|Javascript object property names/
const skip = lacking('beside', hasSuite)

for (const neighbour of ['draft7', 'draft2020-12'])
  test(`compile in 2019-09: judges the suite of ${neighbour} as the referee does`, { skip }, () => {
    let judged = 0
    for (const [file, { description, schema, tests }] of suiteGroups(neighbour)) {
      if (!isObject(schema) || notForReferee.test(file) || notForReferee.test(description)) continue
      const judges = judgesOf({ ...schema, $schema })
      if (!judges) continue
      for (const { description: criterion, data } of tests) {
        judged += 1
        assert.equal(judges.ours(data).length === 0, judges.referee(data), `${file}: ${description}: ${criterion}`)
      }
    }
    assert.ok(judged > 700, `${judged}`)
  })

/** Both judges of a schema; nothing where one of them refuses it, mostly because it leads out of itself. */
function judgesOf(schema: object) {
  try {
    return { ours: compile(schema), referee: ajvFor(schema) }
  } catch {
    return undefined
  }
}
