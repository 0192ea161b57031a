import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { editText } from './edit-text.ts'
import { unifiedDiff } from './unified-diff.ts'

test('unifiedDiff: changes with the lines around them', () => {
  const before = Array.from({ length: 20 }, (_, at) => `line ${at + 1}`)
  const after = before.with(4, 'five').toSpliced(15, 1)
  assert.equal(
    unifiedDiff('a.txt', before.join('\n'), after.join('\n')),
    [
      '--- a.txt',
      '+++ a.txt',
      '@@ -2,7 +2,7 @@',
      ' line 2',
      ' line 3',
      ' line 4',
      '-line 5',
      '+five',
      ' line 6',
      ' line 7',
      ' line 8',
      '@@ -13,7 +13,6 @@',
      ' line 13',
      ' line 14',
      ' line 15',
      '-line 16',
      ' line 17',
      ' line 18',
      ' line 19',
    ].join('\n'),
  )
  assert.equal(unifiedDiff('a', 'same', 'same'), '')
})

/** Makes the changes that a difference describes. */
function patched(before: string, difference: string): string {
  const lines = before.split('\n')
  const result: string[] = []
  let at = 0
  for (const line of difference.split('\n').slice(2)) {
    const [, start] = /^@@ -(\d+)/.exec(line) ?? []
    if (start !== undefined) while (at < Number(start) - 1) result.push(lines[at++] ?? '')
    else if (line.startsWith('+')) result.push(line.slice(1))
    else {
      assert.equal(line.slice(1), lines[at])
      if (line.startsWith(' ')) result.push(lines[at] ?? '')
      at++
    }
  }
  return [...result, ...lines.slice(at)].join('\n')
}

test('unifiedDiff, any texts: applying it yields the other text', () => {
  const texts = fc.array(fc.constantFrom('a', 'b', 'c', '', '@@'), { maxLength: 30 }).map((lines) => lines.join('\n'))
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      if (before !== after) assert.equal(patched(before, unifiedDiff('x', before, after)), after)
    }),
    { numRuns: 1_000 },
  )
})

test('unifiedDiff: texts with nothing in common are shown as rewritten, and soon', () => {
  const [before, after] = ['a', 'b'].map((letter) =>
    Array.from({ length: 5_000 }, (_, at) => `${letter}${at}`).join('\n'),
  )
  assert.equal(patched(before ?? '', unifiedDiff('x', before ?? '', after ?? '')), after)
})

test('editText: parts are replaced, once unless said, in the line ends of the file', () => {
  assert.equal(editText('a b a', [{ find: 'b', replace: 'c' }]), 'a c a')
  assert.equal(editText('a b a', [{ find: 'a', replace: '$&', all: true }]), '$& b $&')
  assert.equal(editText('one\r\ntwo\r\n', [{ find: 'one\ntwo', replace: '1\n2' }]), '1\r\n2\r\n')
  assert.throws(
    () => editText('a b a', [{ find: 'a', replace: '' }]),
    /its text is in the file 2 times; give more of it/,
  )
  assert.throws(() => editText('a', [{ find: 'x', replace: '' }]), /Cannot make edit 1: its text is not in the file/)
})
