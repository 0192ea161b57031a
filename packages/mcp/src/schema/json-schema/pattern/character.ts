/** Tells whether a piece of a regular expression stands for a code point. */
export type CharacterTest = (code: number) => boolean

/** Builds the test of a single character, such as `a`, `.`, `\d`, `[^x-z]` or `\p{L}`. */
export function characterTest(source: string): CharacterTest {
  const literal = source.codePointAt(0)
  if (literal !== undefined && source === String.fromCodePoint(literal) && source !== '.')
    return (code) => code === literal
  // on a single character the native engine has nothing to backtrack over
  const native = new RegExp(`^${source}$`, 'u')
  const ascii = new Int8Array(128)
  return (code) => {
    const known = ascii[code]
    if (known) return known > 0
    const matches = native.test(String.fromCodePoint(code))
    if (code < ascii.length) ascii[code] = matches ? 1 : -1
    return matches
  }
}
