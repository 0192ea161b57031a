import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { lacking } from '../../../../tools/lib/needs.ts'
import { makeFolder } from './make-folder.ts'

/** Windows keeps no modes of files. */
const noModes = { skip: lacking('posix', process.platform !== 'win32') }

const folder = mkdtempSync(join(tmpdir(), 'make-folder-'))
test.after(() => rmSync(folder, { recursive: true }))

test('makeFolder: makes missing folders for their owner alone, and leaves existing ones', noModes, () => {
  const path = join(folder, 'a/b/c')
  makeFolder(path)
  makeFolder(path)
  assert.deepEqual(
    ['a', 'a/b', 'a/b/c'].map((part) => statSync(join(folder, part)).mode & 0o777),
    [0o700, 0o700, 0o700],
  )
})

test('makeFolder: below a file, the file is named', () => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  assert.throws(() => makeFolder(join(file, 'home/state')), {
    code: 'Unusable',
    message: `Cannot make the folder "${file}": a file of that name is in the way; move it away, or set TRUNKLINE_HOME to another folder`,
  })
})

test('makeFolder: below /proc, where recursive mkdir does not return, it says that nothing can be made', (t) => {
  if (process.platform !== 'linux') return t.diagnostic('only Linux has /proc')
  assert.throws(() => makeFolder('/proc/home/state'), {
    code: 'Unusable',
    message:
      'Cannot make the folder "/proc/home": nothing can be made in "/proc"; choose another place, or set TRUNKLINE_HOME to another folder',
  })
})
