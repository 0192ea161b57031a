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

test('tableLines: on a screen no line is wider than it, and nothing but the last column is cut', () => {
  const three = [{ title: 'tool' }, { title: 'arguments' }, { title: 'what it does' }]
  const names = Array.from({ length: 20 }, (_, at) => `[argument${at}]`)
  const rows = [
    ['a_tool_with_a_name_that_is_wider_than_any_column_of_a_table', names.join(' '), 'word '.repeat(50)],
    ['short', 'a b', 'Adds'],
  ]
  for (const width of [60, 80, 120, 200]) {
    const lines = tableLines(three, rows, width).map(plainLine)
    for (const line of lines) assert.ok(displayWidth(line) <= width, `${displayWidth(line)} of ${width}: ${line}`)
    for (const name of names)
      assert.ok(
        lines.some((line) => line.includes(name)),
        `${name} of ${width}`,
      )
    assert.match(lines.at(-1) ?? '', /^short +a b +Adds$/)
  }
  const [title] = tableLines([{ title: 'rule' }, { title: 'from', wraps: true }], [['x', '/a/b'.repeat(30)]], 60)
  assert.equal(plainLine(title ?? ''), 'RULE  FROM')
  const wrapped = tableLines([{ title: 'rule' }, { title: 'from', wraps: true }], [['x', '/a/b'.repeat(30)]], 60)
  assert.equal(
    wrapped
      .slice(1)
      .map((line) => plainLine(line).slice(6))
      .join(''),
    '/a/b'.repeat(30),
  )
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
