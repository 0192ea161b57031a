import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { replaceFile } from './replace-file.ts'

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

test('replaceFile: what no patience mends is an error at once', async () => {
  using here = files()
  rmSync(here.to)
  mkdirSync(here.to)
  const start = performance.now()
  await assert.rejects(replaceFile(here.from, join(here.to, 'gone/x'), { platform: 'win32' }), /ENOENT/)
  assert.ok(performance.now() - start < 5_000)
})
