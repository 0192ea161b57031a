import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkCycles } from './check-cycles.ts'
import { described, sample } from './lib/sample.ts'

const a = 'packages/mcp/src/rpc/a.ts'
const b = 'packages/mcp/src/rpc/b.ts'
const c = 'packages/mcp/src/rpc/c.ts'

test('checkCycles: three files in a circle are one problem', () => {
  const files = sample({
    [a]: "import { b } from './b.ts'",
    [b]: "export { c } from './c.ts'",
    [c]: "import './a.ts'",
  })
  assert.deepEqual(described(checkCycles(files)), [`${a}: Imports itself: ${a} > ${b} > ${c} > ${a}`])
})

test('checkCycles: an import of types closes a circle', () => {
  const files = sample({ [a]: "import { b } from './b.ts'", [b]: "import type { A } from './a.ts'" })
  assert.deepEqual(described(checkCycles(files)), [`${a}: Imports itself: ${a} > ${b} > ${a}`])
})

test('checkCycles: dynamic imports and a file reached twice close no circle', () => {
  const files = sample({
    [a]: "import { b } from './b.ts'\nimport { c } from './c.ts'",
    [b]: "import { c } from './c.ts'",
    [c]: "export const load = () => import('./a.ts')",
  })
  assert.deepEqual(checkCycles(files), [])
})
