import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultFolder } from './default-folder.ts'

test('defaultFolder: a project, but never a disk, the home directory or a folder above it', () => {
  assert.equal(defaultFolder('/home/ada/shop', '/home/ada'), '/home/ada/shop')
  assert.equal(defaultFolder('/srv/x/../shop/', '/home/ada'), '/srv/shop')
  for (const path of ['/', '/home/ada', '/home/ada/', '/home', '/home/ada/x/..']) {
    assert.equal(defaultFolder(path, '/home/ada'), undefined, path)
  }
  assert.equal(defaultFolder('/home/adam', '/home/ada'), '/home/adam')
})
