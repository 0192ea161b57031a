import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../tools/lib/any-character.ts'
import { hiddenCharacters, hiddenKind, visibleLine, visibleText } from './visible.ts'

for (const [what, text, shown] of [
  ['an escape sequence', '\x1b[2Jgone', '\\u{1b}[2Jgone'],
  ['a C1 control', 'a\x9b31mb', 'a\\u{9b}31mb'],
  ['a bidi override', 'user\u202etxt.exe', 'user\\u{202e}txt.exe'],
  ['an isolate', '\u2066x\u2069', '\\u{2066}x\\u{2069}'],
  ['a zero width space', 'pass\u200bword', 'pass\\u{200b}word'],
  ['a Unicode tag', 'hi\u{e0041}', 'hi\\u{e0041}'],
  ['a carriage return', 'ok\rFAKE', 'ok\\u{d}FAKE'],
  ['a lone surrogate', 'a\ud800b', 'a\\u{d800}b'],
  ['ordinary text', 'Zoë – 日本語 👍🏽\n\tx', 'Zoë – 日本語 👍🏽\n\tx'],
  ['a family of pictographs', '👨‍👩‍👧', '👨‍👩‍👧'],
] as const) {
  it(`visibleText: ${what}`, () => assert.equal(visibleText(text), shown))
}

it('visibleLine: stays on one line', () => assert.equal(visibleLine('a\nb\tc'), 'a\\nb\\tc'))

it('visibleText: leaves nothing hidden, whatever it is given', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      const left = [...hiddenCharacters(visibleText(text))]
      assert.deepEqual(left, [])
    }),
  )
})

it('hiddenKind: names why', () => {
  assert.equal(hiddenKind(0x202e), 'bidi')
  assert.equal(hiddenKind(0xe0041), 'tag')
  assert.equal(hiddenKind(0x41), undefined)
})
