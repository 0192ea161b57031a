import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import { ownNode } from './smoke.ts'

test('ownNode: the first Node outside node_modules/.bin, or none', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'own-node-'))
  context.after(() => rmSync(folder, { recursive: true }))
  const name = process.platform === 'win32' ? 'node.exe' : 'node'
  const [bin, empty, first, second] = ['node_modules/.bin', 'empty', 'first', 'second'].map((part) =>
    join(folder, part),
  )
  for (const path of [bin, empty, first, second]) mkdirSync(path ?? '', { recursive: true })
  for (const path of [bin, first, second]) writeFileSync(join(path ?? '', name), '')
  assert.equal(ownNode([bin, empty, first, second].join(delimiter)), join(first ?? '', name))
  assert.equal(ownNode([bin, empty].join(delimiter)), undefined)
})
