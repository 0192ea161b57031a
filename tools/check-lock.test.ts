import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkLock } from './check-lock.ts'
import { readFiles } from './lib/files.ts'
import { described } from './lib/sample.ts'

const integrity = 'sha512-x'

function lockOf(packages: object, path = 'package-lock.json'): string[] {
  return described(checkLock({ path, text: JSON.stringify({ lockfileVersion: 3, packages }) }))
}

test('checkLock: a lock with every optional package passes, wherever npm put it', () => {
  const optionalDependencies = { 'tool-win32-arm64': '1.0.0', 'tool-linux-x64': '1.0.0' }
  const found = {
    '': { optionalDependencies: { tool: '1.0.0' } },
    'node_modules/tool': { integrity, optionalDependencies },
    'node_modules/tool-linux-x64': { integrity },
    'node_modules/tool/node_modules/tool-win32-arm64': { integrity },
    'node_modules/own': { resolved: 'packages/own', link: true },
    'packages/own': {},
  }
  assert.deepEqual(lockOf(found), [])
})

test('checkLock: each platform package that is not there is a problem', () => {
  const optionalDependencies = { '@tool/darwin-arm64': '1.0.0', '@tool/linux-x64': '1.0.0' }
  const dropped = {
    'node_modules/@tool/linux-x64': { integrity },
    'node_modules/other/node_modules/@tool/darwin-arm64': { integrity },
    'node_modules/tool': { integrity, optionalDependencies },
  }
  assert.deepEqual(lockOf(dropped), [
    'package-lock.json: Missing "@tool/darwin-arm64" of "node_modules/tool": pin a version of it whose platform packages all exist',
  ])
})

test('checkLock: a registry, a missing hash and a package for newer Node alone are problems', () => {
  const packages = {
    'node_modules/hosted': { integrity, resolved: 'https://registry.example/hosted.tgz' },
    'node_modules/unchecked': {},
    'node_modules/modern': { integrity, engines: { node: '>=22' } },
  }
  assert.deepEqual(lockOf(packages), [
    'package-lock.json: "node_modules/hosted" names "https://registry.example/hosted.tgz": keep omit-lockfile-registry-resolved',
    'package-lock.json: "node_modules/unchecked" has no integrity: install it again',
    'package-lock.json: "node_modules/modern" wants Node >=22: pin a version of it that accepts Node 20.19',
  ])
  const modern = { 'node_modules/modern': packages['node_modules/modern'] }
  assert.deepEqual(lockOf(modern, 'bench/package-lock.json'), [], 'those who measure have the newest Node')
})

test('checkLock: what only a package for newer Node needs may want that Node too, what others need as well may not', () => {
  const modern = { integrity, engines: { node: '>=22' } }
  const host = { name: '@trunkline/host', dependencies: { modern: '1', both: '1' } }
  const packages = {
    'packages/host': host,
    'packages/library': { dependencies: { both: '1' } },
    'node_modules/modern': { ...modern, dependencies: { deeper: '1' } },
    'node_modules/deeper': modern,
    'node_modules/both': modern,
  }
  assert.deepEqual(lockOf(packages), [
    'package-lock.json: "node_modules/both" wants Node >=22: pin a version of it that accepts Node 20.19',
  ])
})

test('checkLock: a lock without packages is a problem, never a pass', () => {
  assert.deepEqual(lockOf({}), ['package-lock.json: Cannot check the lock: it holds no packages'])
})

test('checkLock: the tools that come per platform are locked for all six', () => {
  const [lock] = readFiles('package-lock.json')
  const { packages } = JSON.parse(lock?.text ?? '') as { packages: object }
  const systems = ['darwin', 'linux', 'win32'].flatMap((system) => [`${system}-x64`, `${system}-arm64`])
  for (const tool of ['@biomejs/cli', '@rolldown/binding', '@typescript/typescript'])
    for (const system of systems) {
      const found = Object.keys(packages).some((folder) => folder.startsWith(`node_modules/${tool}-${system}`))
      assert.ok(found, `${tool} is locked for ${system}`)
    }
})
