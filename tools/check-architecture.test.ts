import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkArchitecture } from './check-architecture.ts'

const files = [
  { path: 'packages/mcp/src/rpc/peer.ts', text: 'export class Peer {}\n' },
  { path: 'tools/check-names.ts', text: '' },
]

test('checkArchitecture: files and names that are there are fine', () => {
  const page =
    '`tools/check-names.ts`\n| `Peer` | matches responses | `rpc/peer.ts` |\n| how calls end | `rpc/peer.ts` |\n'
  assert.deepEqual(checkArchitecture(page, files), [])
})

test('checkArchitecture: a file that is gone is a problem, with its line', () => {
  const [problem, ...others] = checkArchitecture('# Page\n\n| how calls end | `rpc/pear.ts` |\n', files)
  assert.equal(problem?.path, 'docs/architecture.md:3')
  assert.match(problem?.message ?? '', /no file "packages\/mcp\/src\/rpc\/pear\.ts"/)
  assert.deepEqual(others, [])
})

test('checkArchitecture: a name that its file does not declare is a problem', () => {
  const [problem] = checkArchitecture('| `Channel` | a stream | `rpc/peer.ts` |\n', files)
  assert.match(problem?.message ?? '', /"packages\/mcp\/src\/rpc\/peer\.ts" does not declare "Channel"/)
})
