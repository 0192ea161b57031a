import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isBundled, publishedManifest } from './build.ts'

test('publishedManifest: exports and imports point at what was emitted, engines say what users need, what was bundled is not named, all else stays', () => {
  const manifest = {
    name: 'x',
    devDependencies: { '@trunkline/base': '1.0.0' },
    exports: { '.': './src/index.ts', './package.json': './package.json' },
    imports: { '#stdio': { node: './src/stdio.ts', default: './src/no-stdio.ts' } },
  }
  assert.deepEqual(publishedManifest(manifest), {
    name: 'x',
    engines: { node: '>=20.19' },
    exports: { '.': { types: './index.d.ts', default: './index.js' }, './package.json': './package.json' },
    imports: { '#stdio': { node: './stdio.js', default: './no-stdio.js' } },
  })
})

test('isBundled: modules of the package and of the base are, those of other packages stay imports', () => {
  for (const id of [
    './a.ts',
    '/a.ts',
    '\0helper',
    '@trunkline/base/glob',
    '@trunkline/server-kit/list',
    '@oxc-project/runtime/helpers/x',
  ])
    assert.equal(isBundled(id), true, id)
  for (const id of ['@trunkline/mcp', '@trunkline/baseline', 'zod', '#stdio', 'node:fs'])
    assert.equal(isBundled(id), false, id)
})
