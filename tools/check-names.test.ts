import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkNames, glossaryIn } from './check-names.ts'
import { described, sample } from './lib/sample.ts'

const a = 'packages/mcp/src/rpc/a.ts'
const b = 'packages/mcp/src/server/b.ts'
const host = 'packages/host/src/c.tsx'
const none = { glossary: [], shared: [] }

test('checkNames: a name that another file of the package declares is a problem', () => {
  const files = sample({ [a]: 'export class Session {}', [b]: 'export interface Session {}' })
  assert.deepEqual(described(checkNames(files, none)), [
    `${b}: Cannot declare "Session": "${a}" exports another thing of that name; rename one`,
  ])
})

test('checkNames: so is one that another package declares, unless it is known to be in both', () => {
  const files = sample({ [a]: 'export class Draft {}', [host]: 'export function Draft() {}' })
  const problems = described(checkNames(files, none))
  assert.equal(problems.length, 1)
  assert.match(problems[0] ?? '', /Cannot declare "Draft": ".+" exports another thing of that name; rename one$/)
  assert.deepEqual(checkNames(files, { ...none, shared: ['Draft'] }), [])
})

test('checkNames: what is known to be in two packages and is in one is to be removed from the list', () => {
  const files = sample({ [a]: 'export class Draft {}' })
  assert.deepEqual(described(checkNames(files, { ...none, shared: ['Draft'] })), [
    'tools/shared-names.txt: Remove "Draft": fewer than two packages declare it now',
  ])
})

test('checkNames: a name of the glossary belongs to the library, even if nothing there has it', () => {
  const files = sample({ [a]: 'export class Session {}', [host]: 'export const Session = 1\nexport const Peer = 2' })
  const known = {
    glossary: glossaryIn('| `Session` | one thing |\n| `Peer` | another |\n| what | `Draft` |'),
    shared: [],
  }
  assert.deepEqual(described(checkNames(files, known)), [
    `${host}: Cannot declare "Session": the glossary of docs/architecture/library.md has that name for something in the library`,
    `${host}: Cannot declare "Peer": the glossary of docs/architecture/library.md has that name for something in the library`,
  ])
})

test('checkNames: re-exports, overloads, local names and tests are none', () => {
  const files = sample({
    [a]: 'export function serve(port: number): void\nexport function serve(port: string): void {}\nclass Local {}',
    [b]: "export { serve } from '../rpc/a.ts'\nexport * from '../rpc/a.ts'\nclass Local {}",
    'packages/mcp/src/server/b.test.ts': 'export const serve = 1',
  })
  assert.deepEqual(checkNames(files, none), [])
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
  assert.deepEqual(checkNames(files, none), [])
})
