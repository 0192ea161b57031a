import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkExports, snapshots } from './check-exports.ts'
import { described, sample } from './lib/sample.ts'

const good = {
  'packages/mcp/package.json': JSON.stringify({
    name: '@trunkline/mcp',
    exports: { '.': './src/index.ts', './client': { types: './src/client.ts', default: './src/client.ts' } },
  }),
  'packages/mcp/src/index.ts': "export * from './client.ts'\nexport { server } from './server/server.ts'",
  'packages/mcp/src/client.ts': 'export interface Client {}\nexport function connect() {}',
  'packages/mcp/exports.txt': `@trunkline/mcp Client (type)
@trunkline/mcp connect
@trunkline/mcp server
@trunkline/mcp/client Client (type)
@trunkline/mcp/client connect
`,
}

test('checkExports: the names written down pass, and are what an update writes', () => {
  assert.deepEqual(checkExports(sample(good)), [])
  assert.equal(snapshots(sample(good))[0]?.text, good['packages/mcp/exports.txt'])
})

test('checkExports: a new name and a lost one are both shown', () => {
  const files = sample({ ...good, 'packages/mcp/src/index.ts': "export * from './client.ts'\nexport const serve = 1" })
  assert.deepEqual(described(checkExports(files)), [
    'packages/mcp/exports.txt: + @trunkline/mcp serve',
    'packages/mcp/exports.txt: - @trunkline/mcp server',
  ])
})

test('checkExports: what "export type *" passes on is a type, unless another line exports the value', () => {
  const files = sample({
    ...good,
    'packages/mcp/src/index.ts':
      "export type * from './client.ts'\nexport { connect } from './client.ts'\nexport { server } from './server/server.ts'",
    'packages/mcp/src/client.ts': 'export class Client {}\nexport function connect() {}',
  })
  assert.deepEqual(described(checkExports(files)), [
    'packages/mcp/exports.txt: + @trunkline/mcp/client Client',
    'packages/mcp/exports.txt: - @trunkline/mcp/client Client (type)',
  ])
})

test('checkExports: an entry that does not exist is a problem', () => {
  const files = sample(good).filter(({ path }) => path !== 'packages/mcp/src/index.ts')
  assert.equal(
    described(checkExports(files))[0],
    'packages/mcp/src/index.ts: Cannot list what this module exports: no such file',
  )
})
