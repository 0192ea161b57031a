import assert from 'node:assert/strict'
import { test } from 'node:test'
import { completeDeclaration, publishedManifest } from './build.ts'

test('publishedManifest: exports and imports point at what was emitted, engines say what users need, all else stays', () => {
  const manifest = {
    name: 'x',
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

test('completeDeclaration: files are imported as they are published', () => {
  const text = `export * from './a.ts';\nimport type { B } from "../b/b.ts";\ntype C = import("./c.ts").C;\nimport { x } from 'y.ts';\n`
  assert.equal(
    completeDeclaration(text),
    `export * from './a.js';\nimport type { B } from "../b/b.js";\ntype C = import("./c.js").C;\nimport { x } from 'y.ts';\n`,
  )
})

test('completeDeclaration: what few libraries declare is named', () => {
  const text = 'export interface A extends AsyncDisposable {}\n'
  assert.equal(completeDeclaration(text), `/// <reference lib="esnext.disposable" />\n${text}`)
})
