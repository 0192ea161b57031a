import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { isInstalled } from './install.ts'

test('isInstalled: all that is wanted is there, and the lock is no newer', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'apart-'))
  context.after(() => rmSync(folder, { recursive: true }))
  const manifest = { dependencies: { '@some/library': '1' }, devDependencies: { program: '1' } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  writeFileSync(join(folder, 'package-lock.json'), '{}')
  assert.equal(isInstalled(folder, true), false)
  mkdirSync(join(folder, 'node_modules/@some/library'), { recursive: true })
  writeFileSync(join(folder, 'node_modules/.package-lock.json'), '{}')
  assert.deepEqual([isInstalled(folder, true), isInstalled(folder, false)], [true, false])
  mkdirSync(join(folder, 'node_modules/program'))
  assert.equal(isInstalled(folder, false), true)
  const later = new Date(Date.now() + 10_000)
  utimesSync(join(folder, 'package-lock.json'), later, later)
  assert.equal(isInstalled(folder, true), false)
})
