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
