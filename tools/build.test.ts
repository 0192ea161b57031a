import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publishedManifest } from './build.ts'

test('publishedManifest: exports and imports point at what was emitted, all else stays', () => {
  const manifest = {
    name: 'x',
    exports: { '.': './src/index.ts', './package.json': './package.json' },
    imports: { '#stdio': { node: './src/stdio.ts', default: './src/no-stdio.ts' } },
  }
  assert.deepEqual(publishedManifest(manifest), {
    name: 'x',
    exports: { '.': { types: './index.d.ts', default: './index.js' }, './package.json': './package.json' },
    imports: { '#stdio': { node: './stdio.js', default: './no-stdio.js' } },
  })
})
