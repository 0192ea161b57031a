import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { fitsGlob, globsMeet, matchesGlob } from './glob.ts'

it('matchesGlob: one star stays within a segment, two do not', () => {
  assert.equal(matchesGlob('/tmp/*', '/tmp/a'), true)
  assert.equal(matchesGlob('/tmp/*', '/tmp/a/b'), false)
  assert.equal(matchesGlob('/tmp/**', '/tmp/a/b'), true)
  assert.equal(matchesGlob('/tmp/**', '/tmpx'), false)
  assert.equal(matchesGlob('*', ''), true)
  assert.equal(matchesGlob('', 'a'), false)
})

it('matchesGlob: takes characters of a pattern as they are', () => {
  assert.equal(matchesGlob('a.c', 'abc'), false)
  assert.equal(matchesGlob('[a]+', '[a]+'), true)
})

it('matchesGlob: agrees with a regular expression', () => {
  const piece = fc.constantFrom('a', 'b', '/', '*', '**')
  const pattern = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join('').replace(/\*{3,}/g, '**'))
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 8 })
  fc.assert(
    fc.property(pattern, text, (one, other) => {
      const expression = one.replace(/\*\*|\*/g, (star) => (star === '**' ? '.*' : '[^/]*'))
      assert.equal(matchesGlob(one, other), new RegExp(`^${expression}$`).test(other))
    }),
  )
})

it('matchesGlob: a hostile pattern costs no more than its length times the text', () => {
  assert.equal(matchesGlob(`${'*a'.repeat(500)}b`, 'a'.repeat(2_000)), false)
})

it('globsMeet: whether some text matches both patterns', () => {
  assert.equal(globsMeet('/etc/**', '**/passwd'), true)
  assert.equal(globsMeet('/etc/*', '/etc/a/b'), false)
  assert.equal(globsMeet('/etc/*', '/*/passwd'), true)
  assert.equal(globsMeet('**/.env', '/app/*/page.tsx'), false)
  const piece = fc.constantFrom('a', 'b', '/', '*', '**')
  const pattern = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join('').replace(/\*{3,}/g, '**'))
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 8 })
  fc.assert(
    fc.property(pattern, pattern, text, (one, other, common) => {
      if (matchesGlob(one, common) && matchesGlob(other, common)) assert.equal(globsMeet(one, other), true)
      assert.equal(globsMeet(one, other), globsMeet(other, one))
      assert.equal(globsMeet(one, common), matchesGlob(one, common))
    }),
  )
})

const cases: readonly (readonly [pattern: string, path: string, fits: boolean])[] = [
  ['*.md', 'README.md', true],
  ['*.md', 'docs/deep/a.md', true],
  ['*.md', 'a.mdx', false],
  ['*', 'anything', true],
  ['?.ts', 'a.ts', true],
  ['?.ts', 'ab.ts', false],
  ['src/*.ts', 'src/a.ts', true],
  ['src/*.ts', 'src/b/a.ts', false],
  ['src/**/*.ts', 'src/a.ts', true],
  ['src/**/*.ts', 'src/b/c/a.ts', true],
  ['**/test/**', 'a/test/b/c', true],
  ['**/test/**', 'a/tests/b', false],
  ['./src/a', 'src/a', true],
  ['src/**', 'src', true],
  ['a*b*c', 'aXbYc', true],
  ['a*b*c', 'aXbY', false],
  ['[a].ts', '[a].ts', true],
  ['(.*)+', 'x', false],
]

for (const [pattern, path, fits] of cases) {
  it(`fitsGlob: ${pattern} ${fits ? 'fits' : 'does not fit'} ${path}`, () =>
    assert.equal(fitsGlob(pattern, path), fits))
}

it('fitsGlob: a pattern made to be slow is not', () => {
  assert.equal(fitsGlob('*a'.repeat(500), `${'a'.repeat(2_000)}b`), false)
  assert.equal(fitsGlob(`${'**/'.repeat(500)}x`, `${'a/'.repeat(1_000)}b`), false)
})
