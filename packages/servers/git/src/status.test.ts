import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseStatus } from './status.ts'
import { shownStatus, statusText } from './work-tree-tools.ts'

test('parseStatus: branch, upstream and distance, and each kind of path, whatever its name has', () => {
  const [mode, id] = ['100644 100644 100644', `${'a'.repeat(40)} ${'b'.repeat(40)}`]
  const lines = [
    ...[`# branch.oid ${'c'.repeat(40)}`, '# branch.head topic/x', '# branch.upstream origin/topic/x'],
    '# branch.ab +2 -3',
    `1 A. N... ${mode} ${id} new file.txt`,
    `1 MD N... ${mode} ${id} both\nlines.txt`,
    ...[`2 R. N... ${mode} ${id} R100 to.txt`, 'from.txt'],
    `u UD N... ${mode} 100644 ${id} ${'d'.repeat(40)} left.txt`,
    ...['? un tracked.txt', ''],
  ]
  assert.deepEqual(parseStatus(lines.join('\0')), {
    ...{ branch: 'topic/x', head: 'c'.repeat(40), upstream: 'origin/topic/x', ahead: 2, behind: 3 },
    staged: [
      { path: 'new file.txt', change: 'added' },
      { path: 'both\nlines.txt', change: 'modified' },
      { path: 'to.txt', change: 'renamed', from: 'from.txt' },
    ],
    changed: [{ path: 'both\nlines.txt', change: 'deleted' }],
    conflicted: [{ path: 'left.txt', change: 'deleted by them' }],
    untracked: ['un tracked.txt'],
  })
})

test('shownStatus: the first paths of each kind, as many as are wanted and fit, and the number of the others', () => {
  const status = { ahead: 0, behind: 0, staged: [], changed: [], conflicted: [], branch: 'main', head: 'c'.repeat(40) }
  const untracked = Array.from({ length: 130 }, (_, at) => `${at}`)
  const shown = shownStatus({ ...status, untracked }, 50)
  assert.deepEqual([shown.untracked.length, shown.more], [50, { untracked: 80 }])
  assert.match(statusText(shown), /^main\nuntracked: 0\n[\s\S]*untracked: 49\n\[80 more untracked\]$/)
  const long = shownStatus({ ...status, untracked: untracked.map((name) => `a-folder/with a long name/${name}`) }, 100)
  const { length } = long.untracked
  assert.deepEqual([length < 100, long.more], [true, { untracked: 130 - length }])
  assert.equal(shownStatus({ ...status, untracked: ['a'] }, 100).more, undefined)
})
