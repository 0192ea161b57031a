import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refuseVersion, withVersion } from './versions.ts'

const ours = new Set(['@trunkline/mcp', 'trunkline'])

test('withVersion: a package and what it needs of the workspace, and nothing else', () => {
  const text =
    '{ "name": "trunkline", "version": "0.1.0", "dependencies": { "@trunkline/mcp": "0.1.0", "zod": "0.1.0" } }'
  assert.equal(
    withVersion({ path: 'x', text }, '0.2.0', ours).text,
    '{ "name": "trunkline", "version": "0.2.0", "dependencies": { "@trunkline/mcp": "0.2.0", "zod": "0.1.0" } }',
  )
})

test('refuseVersion: the next one only', () => {
  refuseVersion('0.1.1', '0.1.0')
  refuseVersion('1.0.0', '0.9.9')
  assert.throws(() => refuseVersion('0.1.0', '0.1.0'), /is not after 0\.1\.0/)
  assert.throws(() => refuseVersion('0.0.9', '0.1.0'), /is not after/)
  assert.throws(() => refuseVersion('two', '0.1.0'), /a version such as 0\.2\.0 is wanted/)
})
