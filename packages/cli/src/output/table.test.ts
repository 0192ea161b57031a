import assert from 'node:assert/strict'
import { test } from 'node:test'
import { displayWidth } from './display-width.ts'
import { plainLine } from './span.ts'
import { tableLines } from './table.ts'

const columns = [{ title: 'name' }, { title: 'about' }]

test('tableLines: columns are as wide as what is in them, in columns of a terminal', () => {
  const lines = tableLines(columns, [
    ['short', 'one'],
    ['日本', 'two'],
    ['e\u0301', 'three'],
  ]).map(plainLine)
  const [head = '', ...rows] = lines
  assert.equal(head, 'NAME   ABOUT')
  for (const row of rows) assert.equal(displayWidth(row.slice(0, row.search(/one|two|three/))), 7)
})

test('tableLines: the last column ends where the screen does, and a cell is one line', () => {
  const [, row] = tableLines(columns, [['x', `${'word '.repeat(50)}\nand more`]], 60).map(plainLine)
  assert.equal(displayWidth(row ?? ''), 60)
  assert.ok(row?.endsWith('…'))
})

test('tableLines: one wide cell does not push all others to the right, and is shown whole', () => {
  const long = 'argument '.repeat(40).trim()
  const rows = [
    ['one', long, 'first'],
    ['two', 'short', 'second'],
  ]
  const lines = tableLines([{ title: 'name' }, { title: 'arguments' }, { title: 'about' }], rows).map(plainLine)
  assert.equal(lines[1], `one   ${long}  first`)
  assert.ok((lines[2]?.length ?? 0) < 70, lines[2])
})
