import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { bundlePrograms } from './bundled-programs.ts'

test('bundlePrograms: a bundle for the time of a run, under the same name for the same sources', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bundles-'))
  try {
    writeFileSync(join(folder, 'of-before.mjs'), '')
    const first = await bundlePrograms(folder)
    const path = readFileSync(join(folder, `${process.pid}`), 'utf8')
    assert.match(readFileSync(path, 'utf8'), /about to crash/)
    assert.ok(!existsSync(join(folder, 'of-before.mjs')), 'what no run uses is removed')
    first[Symbol.dispose]()
    assert.ok(!existsSync(join(folder, `${process.pid}`)))
    using _again = await bundlePrograms(folder)
    assert.equal(readFileSync(join(folder, `${process.pid}`), 'utf8'), path)
    assert.deepEqual(readdirSync(folder).length, 2)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
