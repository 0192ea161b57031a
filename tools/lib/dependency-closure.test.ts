import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { dependencyClosure, placeInstalled } from './dependency-closure.ts'
import { root } from './files.ts'

test('dependencyClosure: what packages need, and what that needs, each once', () => {
  const found = dependencyClosure([join(root, 'packages/mcp'), join(root, 'packages/servers/files')])
  const names = found.map((folder) => basename(folder))
  assert.ok(names.includes('jose'))
  assert.equal(new Set(found).size, found.length)
  assert.ok(!names.includes('mcp') && !names.includes('files'))
})

test('placeInstalled: each package by its name, with its commands as npm links them', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'placed-'))
  context.after(() => rmSync(folder, { recursive: true }))
  const packages = { '@some/one': { bin: './run.js' }, other: { bin: { else: 'bin/else.js' } }, none: {} }
  for (const [name, manifest] of Object.entries(packages)) {
    mkdirSync(join(folder, 'from', name), { recursive: true })
    writeFileSync(join(folder, 'from', name, 'package.json'), JSON.stringify({ name, ...manifest }))
  }
  const modules = join(folder, 'node_modules')
  placeInstalled(
    Object.keys(packages).map((name) => join(folder, 'from', name)),
    modules,
  )
  for (const name of Object.keys(packages))
    assert.equal(JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8')).name, name)
  assert.equal(readlinkSync(join(modules, '.bin/one')), join('../@some/one/run.js'))
  assert.equal(readlinkSync(join(modules, '.bin/else')), join('../other/bin/else.js'))
})
