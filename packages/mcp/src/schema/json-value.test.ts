import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isJson, toJson } from './json-value.ts'

class Price {
  readonly euros = 3
}

class Secretive {
  readonly #euros = 3
  get euros(): number {
    return this.#euros
  }
}

test('isJson says yes to what JSON carries as it is, and only to that', () => {
  for (const value of [null, 'a', 0, -1.5, true, [], {}, [1, [2]], { a: { b: undefined } }, Object.create(null)])
    assert.equal(isJson(value), true)
  const odd = [undefined, Number.NaN, 1n, Symbol('s'), () => 1, new Date(0), new Map(), [undefined], { a: [1n] }]
  for (const value of [...odd, new Price(), new Uint8Array(1)]) assert.equal(isJson(value), false)
})

test('toJson hands back what is JSON already, the very same object', () => {
  const value = { a: [1, { b: null }] }
  assert.equal(toJson(value), value)
})

const converted: readonly [what: string, value: unknown, json: unknown][] = [
  ['a date', { at: new Date(0) }, { at: '1970-01-01T00:00:00.000Z' }],
  [
    'bytes',
    [new Uint8Array([1, 2, 3]), Buffer.from([1, 2, 3]), new Uint8Array([1, 2, 3]).buffer],
    Array(3).fill('AQID'),
  ],
  ['a part of a buffer', new DataView(new Uint8Array([0, 1, 2, 3]).buffer, 1), 'AQID'],
  ['other numbers', new Float64Array([0.5, 2]), [0.5, 2]],
  [
    'a map',
    new Map<unknown, unknown>([
      ['a', new Set([1])],
      [2, 'b'],
    ]),
    { a: [1], 2: 'b' },
  ],
  ['a map with a dangerous key', new Map([['__proto__', 1]]), JSON.parse('{"__proto__":1}')],
  ['a set', new Set(['a', new Map()]), ['a', {}]],
  ['a URL', new URL('http://a.example/b'), 'http://a.example/b'],
  ['an object of a class', [new Price()], [{ euros: 3 }]],
  ['what has a toJSON', { a: { toJSON: () => new Map([['b', 1]]) } }, { a: { b: 1 } }],
  ['a member that is not there', { at: new Date(0), b: undefined }, { at: '1970-01-01T00:00:00.000Z' }],
]

for (const [what, value, json] of converted)
  test(`toJson converts ${what}`, () => {
    assert.deepEqual(toJson(value), json)
    assert.equal(isJson(toJson(value)), true)
  })

const circle: { [name: string]: unknown } = { a: 1 }
circle.list = [circle]
const deep = Array.from({ length: 10_000 }).reduce<unknown>((inner) => [inner], 1)

const refused: readonly [value: unknown, message: RegExp][] = [
  [{ items: [{ at: Number.NaN }] }, /^items\[0\]\.at is NaN, which JSON does not have; use null$/],
  [{ total: 3n }, /^total is a BigInt; convert it to a number or a string$/],
  [{ 'a b': () => 1 }, /^\["a b"\] is a function, which JSON does not have$/],
  [Symbol('s'), /^is a symbol/],
  [[1, undefined], /^\[1\] is undefined.* use null$/],
  [{ why: new TypeError('x') }, /^why is an Error; throw it, or return its message$/],
  [{ got: new Response('x') }, /^got is a Response; read it first/],
  [{ got: Promise.resolve(1) }, /^got is a Promise; await it$/],
  [{ got: new Map([['a', 1]]).values() }, /^got is a Map Iterator; make an array/],
  [new Map([[{}, 1]]), /^is a Map whose keys are not strings/],
  [
    new Map<unknown, number>([
      [1, 1],
      ['1', 2],
    ]),
    /^is a Map with a key as number and as string$/,
  ],
  [{ at: new Date('never') }, /^at is an invalid Date$/],
  [{ a: /x/ }, /^a is a RegExp, which has no form in JSON$/],
  [[new Secretive()], /^\[0\] is a Secretive with nothing in it that JSON shows/],
  [circle, /^list\[0\] leads back to itself$/],
  [deep, /is more than 500 levels deep$/],
]

for (const [value, message] of refused)
  test(`toJson refuses by its place what ${message.source}`, () => assert.throws(() => toJson(value), { message }))

test('toJson takes the same object twice, which is no circle', () => {
  const same = { at: new Date(0) }
  const json = { at: '1970-01-01T00:00:00.000Z' }
  assert.deepEqual(toJson([same, { same }]), [json, { same: json }])
})
