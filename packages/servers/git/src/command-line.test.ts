import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readGitCommandLine } from './command-line.ts'

test('readGitCommandLine: directories, own flags and those of the library, in any order', () => {
  const hash = 'ab'.repeat(32)
  const words = ['one', '--hooks', 'accepted', 'two', '--accept-hook', hash, '--resolve', 'sample', '--http', '8080']
  assert.deepEqual(readGitCommandLine([...words, '--read-only'], '/here'), {
    options: {
      directories: ['one', 'two'],
      ...{ acceptHooks: [hash], hooks: 'accepted', resolve: 'sample', readOnly: true },
    },
    rest: ['--http', '8080'],
  })
  assert.deepEqual(readGitCommandLine([], '/here'), { options: { directories: ['/here'], acceptHooks: [] }, rest: [] })
})

test('readGitCommandLine: a wrong value is said, with the flags', () => {
  assert.throws(
    () => readGitCommandLine(['--hooks', 'all'], '/'),
    /^Error: Cannot start: "--hooks" takes none or accepted\n/,
  )
  assert.throws(() => readGitCommandLine(['--resolve'], '/'), /"--resolve" takes ask or sample\n/)
  assert.throws(() => readGitCommandLine(['--accept-hook', 'abc'], '/'), /takes the 64 hexadecimal digits of a SHA-256/)
})
