import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readExports, readImports } from './modules.ts'

test('readImports: every form that names a module, with its kind and line', () => {
  const text = `import './effect.ts'
import { a, type B } from './a.ts'
import type { C } from './c.ts'
import * as d from 'node:d'
export { e } from './e.ts'
export type { F } from './f.ts'
export * from './g.ts'
const h = await import('./h.ts')
const other = { import: './no.ts', meta: import.meta.url, text: "import './no.ts'" }
export { h }
export const i = './no.ts'
`
  assert.deepEqual(
    readImports(text).map(({ specifier, kind, line }) => `${line} ${kind} ${specifier}`),
    [
      '1 static ./effect.ts',
      '2 static ./a.ts',
      '3 type ./c.ts',
      '4 static node:d',
      '5 static ./e.ts',
      '6 type ./f.ts',
      '7 static ./g.ts',
      '8 dynamic ./h.ts',
    ],
  )
})

test('readExports: every form that declares a name, with types marked', () => {
  const text = `export const a = 1
export async function* b() {}
export abstract class C {}
export interface D {}
export type E = string
export { f, g as h, type I } from './f.ts'
export type { J } from './j.ts'
export * from './k.ts'
export * as l from './l.ts'
export { type M, n }
`
  assert.deepEqual(
    readExports(text).map(({ name, type, from }) => [type ? 'type' : 'value', name, from ?? ''].join(' ').trim()),
    [
      'value a',
      'value b',
      'value C',
      'type D',
      'type E',
      'value f ./f.ts',
      'value h ./f.ts',
      'type I ./f.ts',
      'type J ./j.ts',
      'value * ./k.ts',
      'value l',
      'type M',
      'value n',
    ],
  )
})
