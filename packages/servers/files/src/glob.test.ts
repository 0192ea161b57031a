import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fitsGlob } from './glob.ts'

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
  test(`fitsGlob: ${pattern} ${fits ? 'fits' : 'does not fit'} ${path}`, () =>
    assert.equal(fitsGlob(pattern, path), fits))
}

test('fitsGlob: a pattern made to be slow is not', () => {
  assert.equal(fitsGlob('*a'.repeat(500), `${'a'.repeat(2_000)}b`), false)
  assert.equal(fitsGlob(`${'**/'.repeat(500)}x`, `${'a/'.repeat(1_000)}b`), false)
})
