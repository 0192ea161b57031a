import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkDeclarations } from './check-declarations.ts'
import { findUnnamed, type Unnamed } from './declarations/reachable.ts'
import { root } from './lib/files.ts'
import { described } from './lib/sample.ts'

/** Unnamed types found in declarations that are written here; the first file is the first entry. */
function foundIn(files: { readonly [name: string]: string }, ...entries: readonly string[]): Unnamed[] {
  const folder = join(root, 'node_modules/.cache/declarations', `${process.pid}0`)
  mkdirSync(folder, { recursive: true })
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, `${name}.d.ts`), text)
    return findUnnamed(entries.map((name) => ({ name, path: join(folder, `${name}.d.ts`) })))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const types = 'export interface Options { readonly inner?: Inner }\nexport interface Inner { readonly a: 1 }\n'

test('findUnnamed: a type that an exported one leads to must be exported too', () => {
  const entry = "export { Options } from './types.js'\n"
  assert.deepEqual(foundIn({ types, entry }, 'entry'), [{ entry: 'entry', type: 'Inner', by: ['Options'] }])
  assert.deepEqual(foundIn({ types, entry: "export { Options, Inner } from './types.js'\n" }, 'entry'), [])
})

test('findUnnamed: parameters, results, type arguments, heritage and typeof all name', () => {
  const parts = [
    'export interface A { a: 1 }',
    'export interface B { b: 1 }',
    'export interface C<X> { c: X }',
    'export interface D { d: 1 }',
    'export declare const e: { readonly e: 1 }',
    'export declare function make(a: A): Promise<C<B>>',
    'export interface Heir extends D { readonly e: typeof e }',
  ]
  const entry = "export { make, Heir } from './types.js'\n"
  const found = foundIn({ types: parts.join('\n'), entry }, 'entry').map(({ type }) => type)
  assert.deepEqual(found, ['A', 'C', 'B', 'D', 'e'])
})

test('findUnnamed: what the first entry exports, every other may name', () => {
  const first = "export { Inner } from './types.js'\n"
  const second = "export { Options } from './types.js'\n"
  assert.deepEqual(foundIn({ types, first, second }, 'first', 'second'), [])
})

test('findUnnamed: an alias of one file is written out, and a base shows in its heirs', () => {
  const local = 'type Later<T> = T | Promise<T>\ninterface Base { b: 1 }\nexport {}\n'
  const uses = 'export interface Heir extends Base { readonly later: Later<string> }\n'
  assert.deepEqual(foundIn({ entry: local + uses }, 'entry'), [])
  const named = 'export interface Other { readonly base: Base }\n'
  assert.deepEqual(
    foundIn({ entry: local + uses + named }, 'entry').map(({ type }) => type),
    ['Base'],
  )
})

test('checkDeclarations: each type once, with the way that leads to it', () => {
  const unnamed = [
    { entry: '@x/y', type: 'Inner', by: ['serve', 'Options'] },
    { entry: '@x/y/z', type: 'Inner', by: ['Options'] },
  ]
  assert.deepEqual(described(checkDeclarations(unnamed)), [
    'packages/mcp/src: Cannot import Inner, which serve > Options of "@x/y" names: export it there, or mark what names it @internal',
  ])
})
