import assert from 'node:assert/strict'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { openPage } from './open-page.ts'

test('openPage: macOS has a screen and "open", which gets the address as it is, and none over SSH', async () => {
  using folder = temporaryFolder()
  const program = join(folder.path, 'open')
  writeFileSync(program, '#!/bin/sh\nprintf "%s\\n" "$@" > "$0.said"\n')
  chmodSync(program, 0o755)
  const env = { PATH: `${folder.path}:/usr/bin:/bin` }
  const url = "http://127.0.0.1:4173/#code=a&b;$(touch x)'"
  assert.equal(await openPage(url, env, 'darwin'), true)
  assert.equal(readFileSync(`${program}.said`, 'utf8'), `${url}\n`)
  assert.equal(await openPage(url, { ...env, SSH_CONNECTION: '::1' }, 'darwin'), false)
  assert.equal(await openPage(url, { PATH: '/nowhere' }, 'darwin'), false)
})
