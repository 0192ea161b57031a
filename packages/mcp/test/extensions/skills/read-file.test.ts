import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readRegularFile } from '../../../src/extensions/skills/node/read-file.ts'
import { skillFolder } from './folder.ts'

test('readRegularFile: a file, and nothing that only leads to one', async () => {
  using folder = skillFolder({ 'a/file.txt': 'text', 'b/file.txt': 'other' })
  const path = join(folder.root, 'a/file.txt')
  assert.equal(Buffer.from((await readRegularFile(path, 4)).bytes).toString(), 'text')
  await assert.rejects(readRegularFile(path, 3), /it is larger than 3 bytes/)
  await assert.rejects(readRegularFile(join(folder.root, 'a'), 100), /it is no regular file|EISDIR/)
  symlinkSync('file.txt', join(folder.root, 'a/link.txt'))
  await assert.rejects(readRegularFile(join(folder.root, 'a/link.txt'), 100), /it is a link/)
  execFileSync('mkfifo', [join(folder.root, 'a/pipe')])
  await assert.rejects(readRegularFile(join(folder.root, 'a/pipe'), 100), /it is no regular file/)
})

test('readRegularFile: a directory above that became a link leads nowhere', async () => {
  using folder = skillFolder({ 'a/file.txt': 'text', 'b/file.txt': 'other' })
  const path = join(folder.root, 'a/file.txt')
  renameSync(join(folder.root, 'a'), join(folder.root, 'c'))
  symlinkSync('b', join(folder.root, 'a'))
  await assert.rejects(readRegularFile(path, 100), /a link leads to it/)
})
