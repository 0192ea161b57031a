import assert from 'node:assert/strict'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { lacking } from '../../../../tools/lib/needs.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { writeFileWhole } from './write-file.ts'

/** Windows keeps no modes of files. */
const noModes = { skip: lacking('posix', process.platform !== 'win32') }

test('writeFileWhole: a new file and its folder are for their owner alone', noModes, async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'deep', 'a.json')
  await writeFileWhole(path, 'x')
  assert.equal(statSync(path).mode & 0o777, 0o600)
  assert.equal(statSync(join(folder.path, 'deep')).mode & 0o777, 0o700)
})

test('writeFileWhole: an existing file keeps its mode, a link stays a link', noModes, async () => {
  using folder = temporaryFolder()
  const real = join(folder.path, 'dotfiles.json')
  const path = join(folder.path, 'link.json')
  writeFileSync(real, 'old')
  chmodSync(real, 0o664)
  symlinkSync(real, path)
  await writeFileWhole(path, 'new')
  assert.ok(lstatSync(path).isSymbolicLink())
  assert.equal(readFileSync(real, 'utf8'), 'new')
  assert.equal(statSync(real).mode & 0o777, 0o664)
})

test('writeFileWhole: a write that fails leaves the old text and nothing else', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'a')
  mkdirSync(path)
  await assert.rejects(writeFileWhole(path, 'x'))
  assert.deepEqual(readdirSync(folder.path), ['a'])
})
