import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reachOf, readUses } from './reach.ts'

const manifest = {
  name: '@x/lib',
  exports: { '.': './src/index.ts', './deep': './src/deep.ts' },
  imports: { '#own': { node: './src/node.ts', default: './src/other.ts' } },
}
const files = [
  { path: 'packages/lib/package.json', text: JSON.stringify(manifest) },
  { path: 'packages/lib/src/index.ts', text: "import { a } from './a.ts'\nimport type { T } from './types.ts'" },
  { path: 'packages/lib/src/a.ts', text: "await import('#own')" },
  { path: 'packages/lib/src/node.ts', text: '' },
  { path: 'packages/lib/src/other.ts', text: '' },
  { path: 'packages/lib/src/deep.ts', text: '' },
  { path: 'packages/lib/src/types.ts', text: '' },
  { path: 'packages/lib/bin/start.js', text: "import(join(folder, 'src/deep.ts'))" },
  { path: 'packages/lib/test/a.test.ts', text: "import '@x/lib'\nspawn(node, [join(here, '../bin/start.js')])" },
  { path: 'packages/lib/test/b.test.ts', text: "join(import.meta.dirname, 'fixtures', file)" },
  { path: 'packages/lib/test/fixtures/one.json', text: '{}' },
  { path: 'packages/lib/src/says.ts', text: "const folder = 'test'" },
]
const { imports, names } = readUses(files)

test('readUses: imports that run, by path, package and map; types do not run', () => {
  assert.deepEqual([...reachOf('packages/lib/test/a.test.ts', imports)].sort(), [
    'packages/lib/src/a.ts',
    'packages/lib/src/index.ts',
    'packages/lib/src/node.ts',
    'packages/lib/src/other.ts',
    'packages/lib/test/a.test.ts',
  ])
})

test('readUses: programs that a test starts, and what they load', () => {
  const reached = reachOf('packages/lib/test/a.test.ts', imports, names)
  assert.ok(reached.has('packages/lib/bin/start.js'))
  assert.ok(reached.has('packages/lib/src/deep.ts'))
})

test('readUses: a folder beside a test stands for all that is in it; strings of sources name nothing', () => {
  assert.ok(reachOf('packages/lib/test/b.test.ts', imports, names).has('packages/lib/test/fixtures/one.json'))
  assert.equal(names.get('packages/lib/src/says.ts')?.size, 0)
})
