import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkArchitecture } from './check-architecture.ts'

const library = (text: string) => ({ path: 'docs/architecture/library.md', text })

const files = [
  { path: 'packages/mcp/src/rpc/peer.ts', text: 'export class Peer {}\n' },
  { path: 'tools/check-names.ts', text: '' },
]

test('checkArchitecture: files and names that are there are fine', () => {
  const page =
    '`tools/check-names.ts`\n| `Peer` | matches responses | `rpc/peer.ts` |\n| how calls end | `rpc/peer.ts` |\n'
  assert.deepEqual(checkArchitecture(library(page), files), [])
})

test('checkArchitecture: a file that is gone is a problem, with its line', () => {
  const [problem, ...others] = checkArchitecture(library('# Page\n\n| how calls end | `rpc/pear.ts` |\n'), files)
  assert.equal(problem?.path, 'docs/architecture/library.md:3')
  assert.match(problem?.message ?? '', /no file "packages\/mcp\/src\/rpc\/pear\.ts"/)
  assert.deepEqual(others, [])
})

test('checkArchitecture: a name that its file does not declare is a problem', () => {
  const [problem] = checkArchitecture(library('| `Channel` | a stream | `rpc/peer.ts` |\n'), files)
  assert.match(problem?.message ?? '', /"packages\/mcp\/src\/rpc\/peer\.ts" does not declare "Channel"/)
})

test('checkArchitecture: the paths of each page are below the sources of its package', () => {
  const host = { path: 'docs/architecture/host.md', text: '| `Act` | a request | `act/act.ts` |\n' }
  assert.deepEqual(
    checkArchitecture(host, [{ path: 'packages/host/src/act/act.ts', text: 'export type Act = {}\n' }]),
    [],
  )
  assert.match(checkArchitecture(host, files)[0]?.message ?? '', /no file "packages\/host\/src\/act\/act\.ts"/)
})

test('checkArchitecture: a file that shows a rule in none of its titles is a problem', () => {
  const page = {
    path: 'docs/architecture/cluster.md',
    text: '| 1 | first | `test/a.ts` |\n| 12 | last | `test/a.ts` |\n',
  }
  const found = checkArchitecture(page, [{ path: 'packages/mcp/test/a.ts', text: "test('all is well (rule 1)')" }])
  assert.deepEqual(
    found.map(({ path }) => path),
    ['docs/architecture/cluster.md:2'],
  )
  assert.match(found[0]?.message ?? '', /no title with "\(rule 12\)"/)
})

test('checkArchitecture: a page that it does not know is a problem', () => {
  const [problem] = checkArchitecture({ path: 'docs/architecture/other.md', text: '' }, files)
  assert.match(problem?.message ?? '', /where its paths begin/)
})
