import assert from 'node:assert/strict'
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathWithin } from './path-within.ts'

test('pathWithin: on Windows a name that means something else there is refused', async () => {
  const folder = realpathSync(import.meta.dirname)
  for (const path of ['platform.ts:stream', 'NUL', 'platform.ts.', '\\\\?\\C:\\x'])
    await assert.rejects(pathWithin([folder], folder, path, 'win32'), /Cannot use path/, path)
  assert.equal(await pathWithin([folder], folder, 'platform.ts', 'win32'), join(folder, 'platform.ts'))
  assert.equal(await pathWithin([folder], folder, 'new:file', 'linux'), join(folder, 'new:file'))
})
