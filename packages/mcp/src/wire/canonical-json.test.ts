import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { canonicalJson } from './canonical-json.ts'
import { McpError } from './errors.ts'

test('canonicalJson: keys are in the order of their UTF-16 units at every depth', () => {
  const value = { '\ufb33': 1, '😀': 2, '€': 3, ö: 4, '\u0080': 5, '1': 6, '\r': [{ b: {}, a: [] }], '': null }
  assert.equal(canonicalJson(value), '{"":null,"\\r":[{"a":[],"b":{}}],"1":6,"\u0080":5,"ö":4,"€":3,"😀":2,"\ufb33":1}')
})

test('canonicalJson: numbers and strings are spelled as ECMAScript spells them', () => {
  const value = [-0, 1e21, 1e-7, 1 / 3, 4.5, 2e-3, '\u000f\n"\\/é', '\ud800', true, null]
  assert.equal(
    canonicalJson(value),
    '[0,1e+21,1e-7,0.3333333333333333,4.5,0.002,"\\u000f\\n\\"\\\\/é","\\ud800",true,null]',
  )
})

test('canonicalJson: says the same as JSON.stringify, whatever the order of keys', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value)
      assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)))
      assert.equal(canonicalJson(reversed(value)), text)
    }),
  )
})

test('canonicalJson: writes what would travel', () => {
  const hole: unknown[] = [1]
  hole[2] = Number.NaN
  const value = { b: undefined, a: new Date(0), f: () => 1, list: [undefined, ...hole] }
  assert.equal(canonicalJson(value), '{"a":"1970-01-01T00:00:00.000Z","list":[null,1,null,null]}')
  assert.equal(canonicalJson(JSON.parse('{"a":1,"__proto__":{"b":2}}')), '{"__proto__":{"b":2},"a":1}')
})

test('canonicalJson: refuses what has no JSON form', () => {
  for (const value of [undefined, () => 1, Symbol('s')])
    assert.throws(
      () => canonicalJson(value),
      (error) => error instanceof McpError && error.code === 'Misuse',
    )
})

test('canonicalJson: writes 256 levels and no more, so that a circle ends', () => {
  const nested = (depth: number) => JSON.parse('['.repeat(depth) + ']'.repeat(depth))
  assert.equal(canonicalJson(nested(256)).length, 512)
  const isTooLarge = (error: unknown) => error instanceof McpError && error.code === 'TooLarge'
  assert.throws(() => canonicalJson(nested(257)), isTooLarge)
  assert.throws(() => canonicalJson({ a: { a: 1 } }, { maxDepth: 1 }), isTooLarge)
  const circle: { self?: unknown } = {}
  circle.self = circle
  assert.throws(() => canonicalJson(circle), isTooLarge)
})

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, member]) => [key, reversed(member)])
  return Object.fromEntries(entries.reverse())
}
