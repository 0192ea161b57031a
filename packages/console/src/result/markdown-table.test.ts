import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markdownBlocks } from './markdown-blocks.ts'

test('markdownBlocks: a table has its head, its sides and its rows, and ends where no row is', () => {
  const text = 'People:\n| name | age |\n|:--|--:|\n| Ann \\| Bob | `a|b` |\n| Eve |\n\nafter'
  assert.deepEqual(markdownBlocks(text), [
    { kind: 'paragraph', text: 'People:' },
    {
      kind: 'table',
      head: ['name', 'age'],
      align: ['left', 'right'],
      rows: [['Ann | Bob', '`a|b`'], ['Eve']],
      left: 0,
      lines: 4,
    },
    { kind: 'paragraph', text: 'after' },
  ])
})

test('markdownBlocks: what only looks like a table is text', () => {
  for (const text of ['a | b', 'a | b\n--- | --- | ---', '| a |\nno dashes']) {
    assert.ok(
      markdownBlocks(text).every(({ kind }) => kind !== 'table'),
      text,
    )
  }
})

test('markdownBlocks: a table of many rows shows the first and counts the others', () => {
  const [table] = markdownBlocks(`| a |\n|---|\n${'| 1 |\n'.repeat(700)}`)
  assert.ok(table?.kind === 'table')
  assert.deepEqual([table.rows.length, table.left], [500, 200])
})

test('markdownBlocks: a line over the limit is no table', () => {
  const text = `${'| x '.repeat(250_000)}|\n${'|---'.repeat(250_000)}|`
  assert.equal(markdownBlocks(text)[0]?.kind, 'paragraph')
})
