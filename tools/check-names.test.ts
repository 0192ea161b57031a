import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkNames } from './check-names.ts'
import { described, sample } from './lib/sample.ts'

const a = 'packages/mcp/src/rpc/a.ts'
const b = 'packages/mcp/src/server/b.ts'
const host = 'packages/host/src/c.ts'

test('checkNames: a name that another file declares is a problem, and in another package none', () => {
  const files = sample({
    [a]: 'export class Session {}',
    [b]: 'export interface Session {}',
    [host]: 'export const Session = 1',
  })
  assert.deepEqual(described(checkNames(files)), [
    `${b}: Cannot declare "Session": "${a}" exports another thing of that name; rename one`,
  ])
})

test('checkNames: re-exports, overloads, local names and tests are none', () => {
  const files = sample({
    [a]: 'export function serve(port: number): void\nexport function serve(port: string): void {}\nclass Local {}',
    [b]: "export { serve } from '../rpc/a.ts'\nexport * from '../rpc/a.ts'\nclass Local {}",
    'packages/mcp/src/server/b.test.ts': 'export const serve = 1',
  })
  assert.deepEqual(checkNames(files), [])
})

test('checkNames: what other runtimes load instead exports the same names', () => {
  const files = sample({
    'packages/mcp/package.json': JSON.stringify({
      name: '@trunkline/mcp',
      imports: { '#fetch': { node: './src/node.ts', default: './src/elsewhere.ts' } },
    }),
    'packages/mcp/src/node.ts': 'export const choose = 1',
    'packages/mcp/src/elsewhere.ts': 'export const choose = 2',
  })
  assert.deepEqual(checkNames(files), [])
})
