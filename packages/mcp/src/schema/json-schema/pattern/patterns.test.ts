import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Meter } from '../meter.ts'
import { SchemaError } from '../schema-error.ts'
import { Patterns } from './patterns.ts'

const limits = { trusted: false, maxPatternSize: 50_000 }

class Counter implements Meter {
  steps = 0
  pay(steps: number): void {
    this.steps += steps
  }
  enter(): void {}
  leave(): void {}
}

function matches(source: string, text: string): boolean {
  return new Patterns(limits).compile(source)(text, new Counter())
}

const atoms = fc.constantFrom(
  ...[
    'a',
    'b',
    '.',
    '\\d',
    '\\w',
    '\\s',
    '[ab]',
    '[^a]',
    '[]',
    '[^]',
    '[\\]\\-]',
    '\\.',
    '\\/',
    '\\n',
    '\\x61',
    '\\cJ',
  ],
  ...['\\u0061', '\\u{1F600}', '\\ud83d\\ude00', '😀', '\\p{L}', '\\P{Lu}', '[\\p{L}\\d_]', '^', '$', '\\b'],
)
const quantifiers = fc.constantFrom(
  '',
  '',
  '',
  '*',
  '+',
  '?',
  '{2}',
  '{1,}',
  '{0,2}',
  '{0}',
  '*?',
  '+?',
  '??',
  '{1,2}?',
)
const { pattern: patterns } = fc.letrec<{ pattern: string }>((tie) => {
  const group = fc
    .tuple(fc.constantFrom('(', '(?:', '(?<name>'), tie('pattern'))
    .map(([open, body]) => `${open}${body})`)
  const atom = fc.oneof({ maxDepth: 2, withCrossShrink: true }, atoms, group)
  const term = fc.tuple(atom, quantifiers).map(([atom, quantifier]) => atom + quantifier)
  const sequence = fc.array(term, { maxLength: 4 }).map((terms) => terms.join(''))
  return { pattern: fc.array(sequence, { minLength: 1, maxLength: 3 }).map((options) => options.join('|')) }
})
const texts = fc.array(fc.constantFrom('a', 'b', 'Z', '1', '_', ' ', '\n', '.', '-', ']', '😀', 'é', '\ud83d'), {
  maxLength: 6,
})

test('Patterns: the linear engine agrees with the native one', () => {
  let compared = 0
  fc.assert(
    fc.property(patterns, fc.array(texts, { minLength: 3, maxLength: 8 }), (source, given) => {
      const native = expression(source)
      fc.pre(native !== undefined)
      for (const text of given.map((characters) => characters.join(''))) {
        assert.equal(matches(source, text), native.test(text), `${source} on ${JSON.stringify(text)}`)
        compared++
      }
    }),
    // one seed, since another may find a pattern that the native engine never ends with
    { numRuns: 2_000, seed: 7 },
  )
  assert.ok(compared > 5_000)
})

test('Patterns: \\B holds inside words and outside them, but never inside a character', () => {
  assert.ok(matches('a\\Bb', 'ab'))
  assert.ok(!matches('a\\B', 'a b'))
  // V8 itself finds a match between the two halves of the surrogate pair
  assert.ok(!matches('\\B', 'a😀a'))
})

const refused: readonly (readonly [source: string, reason: RegExp])[] = [
  ['a(?=b)', /lookaround "\(\?=" is not supported/],
  ['a(?!b)', /lookaround "\(\?!" is not supported/],
  ['(?<=a)b', /lookaround "\(\?<=" is not supported/],
  ['(?<!a)b', /lookaround "\(\?<!" is not supported/],
  ['(a)\\1', /backreferences are not supported/],
  ['(?<x>a)\\k<x>', /backreferences are not supported/],
  ['(?i:a)', /modifiers "\(\?i:" are not supported/],
  ['(', /it is not a regular expression/],
  ['a{2,1}', /it is not a regular expression/],
  [`${'('.repeat(65)}a${')'.repeat(65)}`, /groups are nested more than 64 deep/],
  ['(?:)'.repeat(20_000), /it makes the patterns of the schema too large/],
  ['(a{1000}){1000}', /it makes the patterns of the schema too large/],
]

for (const [source, reason] of refused)
  test(`Patterns refuses ${source.slice(0, 20)}`, () => {
    assert.throws(
      () => matches(source, ''),
      (error) => error instanceof SchemaError && reason.test(error.message),
    )
  })

test('Patterns: all patterns of a schema count together', () => {
  const patterns = new Patterns({ ...limits, maxPatternSize: 35 })
  patterns.compile('a{20}')
  patterns.compile('a{20}')
  assert.throws(() => patterns.compile('b{20}'), SchemaError)
})

test('Patterns: an empty part repeated without end is read without end', () => {
  assert.ok(matches('^(?:){9999999999}(?:(?:)*)*$', ''))
})

test('Patterns: trusted ones run natively, lookaround and all', () => {
  const match = new Patterns({ ...limits, trusted: true }).compile('^(?=.*\\d)[a-z\\d]+$')
  assert.deepEqual([match('abc1', new Counter()), match('abc', new Counter())], [true, false])
})

const hostile: readonly (readonly [source: string, text: string, perCharacter: number])[] = [
  ['^(a+)+$', `${'a'.repeat(5_000)}!`, 6],
  ['^(a|a|a)*$', `${'a'.repeat(5_000)}!`, 10],
  ['(x+x+)+y', 'x'.repeat(5_000), 10],
  ['.*.*.*=', 'x'.repeat(5_000), 12],
  ['(.*)*(.*)*(.*)*$\\b', 'é'.repeat(5_000), 25],
  ['^a', 'b'.repeat(5_000), 1],
]

for (const [source, text, perCharacter] of hostile)
  test(`Patterns: ${source} costs no more than ${perCharacter} steps a character`, () => {
    const meter = new Counter()
    assert.equal(new Patterns(limits).compile(source)(text, meter), false)
    assert.ok(meter.steps <= perCharacter * text.length, `${meter.steps} steps`)
  })

function expression(source: string): RegExp | undefined {
  try {
    return new RegExp(source, 'u')
  } catch {
    return undefined
  }
}
