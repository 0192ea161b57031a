import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { demandOf, parseChallenges } from './parse-challenge.ts'

function read(header: string) {
  return parseChallenges(header).map(({ scheme, parameters }) => [scheme, Object.fromEntries(parameters)])
}

const headers: readonly [header: string, challenges: unknown][] = [
  ['', []],
  ['Bearer', [['bearer', {}]]],
  ['Bearer realm="a", scope="x y"', [['bearer', { realm: 'a', scope: 'x y' }]]],
  ['BEARER Scope=x,ERROR = "e"', [['bearer', { scope: 'x', error: 'e' }]]],
  [
    'Basic realm="b", Bearer error=invalid_token',
    [
      ['basic', { realm: 'b' }],
      ['bearer', { error: 'invalid_token' }],
    ],
  ],
  [
    'DPoP algs="ES256", Bearer',
    [
      ['dpop', { algs: 'ES256' }],
      ['bearer', {}],
    ],
  ],
  ['Bearer a="with \\"quotes\\" and, commas = too"', [['bearer', { a: 'with "quotes" and, commas = too' }]]],
  ['Bearer a="never ends', [['bearer', { a: 'never ends' }]]],
  ['Bearer scope="first", scope="second"', [['bearer', { scope: 'first' }]]],
  [
    'Bearer resource_metadata=https://a.example/x?y, b=c',
    [['bearer', { resource_metadata: 'https://a.example/x?y', b: 'c' }]],
  ],
  [', ,Bearer ,, a=b ,', [['bearer', { a: 'b' }]]],
  ['a=b, Bearer c=d', [['bearer', { c: 'd' }]]],
  ['Bearer "" @ a=b', [['bearer', { a: 'b' }]]],
]

for (const [header, challenges] of headers) {
  test(`parseChallenges: ${JSON.stringify(header)}`, () => assert.deepEqual(read(header), challenges))
}

test('parseChallenges: whatever arrives is read without an error, and no part of it twice', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'Bearer =",\\ \t\u0000é') }), (header) => {
      const length = parseChallenges(header).reduce((sum, { scheme, parameters }) => {
        return sum + scheme.length + [...parameters].flat().join('').length
      }, 0)
      assert.ok(length <= header.length)
    }),
  )
})

test('parseChallenges: a header is read up to 16384 characters', () => {
  const header = `${'Bearer a="b", '.repeat(2_000)}Last`
  const schemes = parseChallenges(header).map(({ scheme }) => scheme)
  assert.ok(schemes.length > 1_000)
  assert.ok(!schemes.includes('last'))
})

test('demandOf: nothing in the header is nothing', () => {
  const { schemes, ...rest } = demandOf(null)
  assert.equal(schemes.size, 0)
  assert.deepEqual(rest, {
    error: undefined,
    description: undefined,
    scope: undefined,
    resourceMetadata: undefined,
  })
})

test('demandOf: counts what is said for any scheme', () => {
  const demand = demandOf(
    'Custom resource_metadata="https://a.example/", Bearer error="insufficient_scope", scope="a b"',
  )
  assert.deepEqual([...demand.schemes], ['custom', 'bearer'])
  assert.equal(demand.resourceMetadata, 'https://a.example/')
  assert.equal(demand.error, 'insufficient_scope')
  assert.equal(demand.scope, 'a b')
})
