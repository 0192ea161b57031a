import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from './any-character.ts'

test('anyCharacter: strings of it have the characters of the unit "binary", none of them half of a pair', () => {
  const sampled = fc.sample(fc.string({ unit: anyCharacter, minLength: 1 }), { numRuns: 300, seed: 1 })
  const codes = sampled.flatMap((text) => [...text].map((character) => character.codePointAt(0) ?? -1))
  assert.ok(sampled.every((text) => !/\p{Surrogate}/u.test(text)))
  for (const [first, last] of [
    [0, 0x7f],
    [0x80, 0xd7ff],
    [0xe000, 0xffff],
    [0x10000, 0x10ffff],
  ] as const)
    assert.ok(
      codes.some((code) => code >= first && code <= last),
      `none from ${first} to ${last}`,
    )
})

test('anyCharacter: strings that programs stumble over are among those of it, and shrink', () => {
  const sampled = fc.sample(fc.string({ unit: anyCharacter }), { numRuns: 2000, seed: 1 })
  assert.ok(sampled.some((text) => text.includes('__proto__')))
  const { counterexample } = fc.check(
    fc.property(fc.string({ unit: anyCharacter }), (text) => !/[\u{e000}-\u{10ffff}]/u.test(text)),
    { seed: 1, numRuns: 300 },
  )
  assert.deepEqual(counterexample, ['\ue000'])
})
