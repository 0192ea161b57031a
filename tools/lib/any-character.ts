import fc from 'fast-check'

const surrogates = { first: 0xd800, count: 0x800 }
const lastIndex = 0x10ffff - surrogates.count

/**
 * Any character of Unicode, as the unit of `fc.string`. The unit "binary" has the same characters, and makes a table of
 * all of them, which takes a second in each process.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .nat({ max: lastIndex })
  .map((index) => String.fromCodePoint(index < surrogates.first ? index : index + surrogates.count), indexOf)

function indexOf(character: unknown): number {
  const code = typeof character === 'string' ? (character.codePointAt(0) ?? -1) : -1
  const isOne = typeof character === 'string' && code >= 0 && String.fromCodePoint(code) === character
  const isHalf = code >= surrogates.first && code < surrogates.first + surrogates.count
  if (!isOne || isHalf) throw new Error('Cannot tell the index: it is not one character')
  return code < surrogates.first ? code : code - surrogates.count
}
