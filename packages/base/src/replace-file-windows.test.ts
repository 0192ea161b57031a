import assert from 'node:assert/strict'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { lacking } from '../../../tools/lib/needs.ts'
import { replaceFile } from './replace-file.ts'

const noSharing = { skip: lacking('windows', process.platform === 'win32') }

test('replaceFile: on Windows it waits for a file that is open elsewhere, and not for ever', noSharing, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'replace-'))
  const here = { from: join(folder, 'new'), to: join(folder, 'old') }
  writeFileSync(here.from, 'new')
  writeFileSync(here.to, 'old')
  const open = openSync(here.to, 'r')
  await assert.rejects(replaceFile(here.from, here.to, { patienceMs: 50 }), /EPERM|EACCES|EBUSY/)
  const replaced = replaceFile(here.from, here.to)
  closeSync(open)
  await replaced
  assert.equal(readFileSync(here.to, 'utf8'), 'new')
  rmSync(folder, { recursive: true })
})
