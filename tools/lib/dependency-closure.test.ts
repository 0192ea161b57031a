import assert from 'node:assert/strict'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { dependencyClosure } from './dependency-closure.ts'
import { root } from './files.ts'

test('dependencyClosure: what packages need, and what that needs, each once', () => {
  const found = dependencyClosure([join(root, 'packages/mcp'), join(root, 'packages/servers/files')])
  const names = found.map((folder) => basename(folder))
  assert.ok(names.includes('jose'))
  assert.equal(new Set(found).size, found.length)
  assert.ok(!names.includes('mcp') && !names.includes('files'))
})
