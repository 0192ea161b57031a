import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lineDiff } from './line-diff.ts'
import { linePieces } from './word-diff.ts'

const marked = (before: string, after: string) =>
  linePieces(lineDiff(before, after)).map((line) =>
    line.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join(''),
  )

test('linePieces: the words that differ, in a line that takes the place of another', () => {
  assert.deepEqual(marked('Reads the report', 'Reads the report. Send it first'), [
    'Reads the report',
    'Reads the report[. Send it first]',
  ])
  assert.deepEqual(marked('a\nlimit 10 rows\nb', 'a\nlimit 500 rows\nb'), [
    'a',
    'limit [10] rows',
    'limit [500] rows',
    'b',
  ])
})

test('linePieces: lines with nothing in common, and more lines than there were, stay whole', () => {
  assert.deepEqual(marked('one two three', 'nothing alike here'), ['one two three', 'nothing alike here'])
  assert.deepEqual(marked('one two', 'one two three\none four'), ['one two', 'one two three', 'one four'])
})
