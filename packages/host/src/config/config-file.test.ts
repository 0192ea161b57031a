import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { renameSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { ConfigFile } from './config-file.ts'

test('ConfigFile: a slow reading of an older content does not count after a newer one', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'trunkline.json')
  // a reading of a pipe lasts until its writer ends
  execFileSync('mkfifo', [path])
  const file = new ConfigFile(path)
  const slow = file.load()
  await using pipe = await open(path, 'w')
  writeFileSync(`${path}.new`, '{ "policy": { "deny": ["new"] } }')
  renameSync(`${path}.new`, path)
  await file.load()
  await pipe.writeFile('{ "policy": { "deny": ["old"] } }')
  await pipe.close()
  await slow
  assert.deepEqual(file.document.value, { policy: { deny: ['new'] } })
})
