import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readFiles } from './lib/files.ts'
import { folders } from './types-apart.ts'

test('types-apart: every folder at the root with types of its own is checked, by one way or the other', () => {
  const configured = readFiles('*/tsconfig.json').map(({ path }) => path.split('/')[0])
  assert.deepEqual(configured, folders.map(({ name }) => name).sort())
})
