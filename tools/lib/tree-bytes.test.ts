import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { thirdPartyNotices } from './third-party-notices.ts'
import { treeBytes } from './tree-bytes.ts'

test('treeBytes: counts every file once, and what a link points at not at all', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tree-'))
  mkdirSync(join(folder, 'inner'))
  writeFileSync(join(folder, 'inner/one'), 'x'.repeat(700))
  writeFileSync(join(folder, 'two'), 'x'.repeat(50))
  symlinkSync('two', join(folder, 'link'))
  assert.equal(treeBytes(folder), 750)
  rmSync(folder, { recursive: true })
})

test('thirdPartyNotices: each package once, with its licence; one without is refused', () => {
  const folder = mkdtempSync(join(tmpdir(), 'notices-'))
  for (const [name, manifest] of Object.entries({ lawful: { license: 'MIT' }, '@un/licensed': {} })) {
    const place = join(folder, 'node_modules', name)
    mkdirSync(place, { recursive: true })
    writeFileSync(join(place, 'package.json'), JSON.stringify({ name, version: '1.2.3', ...manifest }))
    writeFileSync(join(place, 'LICENSE.md'), 'Do as you like\n')
  }
  const sourceOf = (name: string, file: string) => join(folder, 'node_modules', name, file)
  const sources = [sourceOf('lawful', 'a.js'), sourceOf('lawful', 'lib/b.js'), join(folder, 'src/own.ts')]
  const text = thirdPartyNotices(sources)
  assert.equal(text.match(/lawful 1\.2\.3, MIT\n\nDo as you like/g)?.length, 1)
  assert.doesNotMatch(text, /own/)
  assert.throws(
    () => thirdPartyNotices([sourceOf('@un/licensed', 'x.js')]),
    /@un\/licensed: its package\.json names no/,
  )
  rmSync(folder, { recursive: true })
})
