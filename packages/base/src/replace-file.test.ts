import assert from 'node:assert/strict'
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { lacking } from '../../../tools/lib/needs.ts'
import { replaceFile } from './replace-file.ts'

const noSharing = { skip: lacking('windows', process.platform === 'win32') }

function files() {
  const folder = mkdtempSync(join(tmpdir(), 'replace-'))
  const [from, to] = [join(folder, 'new'), join(folder, 'old')]
  writeFileSync(from, 'new')
  writeFileSync(to, 'old')
  return { from, to, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}

test('replaceFile: the new file stands in the place of the old one', async () => {
  using here = files()
  await replaceFile(here.from, here.to)
  assert.equal(readFileSync(here.to, 'utf8'), 'new')
})

test('replaceFile: on Windows it waits for a file that is open elsewhere, and not for ever', noSharing, async () => {
  using here = files()
  const open = openSync(here.to, 'r')
  await assert.rejects(replaceFile(here.from, here.to, { patienceMs: 50 }), /EPERM|EACCES|EBUSY/)
  const replaced = replaceFile(here.from, here.to)
  closeSync(open)
  await replaced
  assert.equal(readFileSync(here.to, 'utf8'), 'new')
})

test('replaceFile: what no patience mends is an error at once', async () => {
  using here = files()
  rmSync(here.to)
  mkdirSync(here.to)
  const start = performance.now()
  await assert.rejects(replaceFile(here.from, join(here.to, 'gone/x'), { platform: 'win32' }), /ENOENT/)
  assert.ok(performance.now() - start < 5_000)
})
