import assert from 'node:assert/strict'
import { test } from 'node:test'
import { completeDeclaration } from './declarations.ts'

test('completeDeclaration: files are imported as they are published', () => {
  const text = `export * from './a.ts';\nimport type { B } from "../b/b.ts";\ntype C = import("./c.ts").C;\nimport { x } from 'y.ts';\n`
  assert.equal(
    completeDeclaration(text, 'x/y.d.ts'),
    `export * from './a.js';\nimport type { B } from "../b/b.js";\ntype C = import("./c.js").C;\nimport { x } from 'y.ts';\n`,
  )
})

test('completeDeclaration: what few libraries declare is named', () => {
  const text = 'export interface A extends AsyncDisposable {}\n'
  assert.equal(completeDeclaration(text, 'x/y.d.ts'), `/// <reference lib="esnext.disposable" />\n${text}`)
})

test('completeDeclaration: types of the base are named where they lie in the package', () => {
  const text =
    "import type { Slots } from '@trunkline/base/slots';\nimport { other } from '@trunkline/baseline/slots';\n"
  const named = (path: string) =>
    `import type { Slots } from '${path}';\nimport { other } from '@trunkline/baseline/slots';\n`
  assert.equal(completeDeclaration(text, 'index.d.ts'), named('./base/slots.js'))
  assert.equal(completeDeclaration(text, 'servers/sandbox/x.d.ts'), named('../../base/slots.js'))
})
