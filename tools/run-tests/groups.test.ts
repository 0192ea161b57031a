import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readUses } from '../lib/reach.ts'
import { groupFiles, shareable } from './groups.ts'

const touching = {
  'sets a variable': "process.env.HOME = '/'",
  'ends the process': 'process.exit(1)',
  'measures memory': 'process.memoryUsage()',
  'replaces a global': 'globalThis.fetch = other',
  'has a hook for the whole file': 'after(() => {})',
  'uses a helper that sets a variable': "import './helper.ts'",
}
const harmless = {
  'reads a variable': 'const home = process.env.HOME',
  'mocks in its own context': "context.mock.timers.enable({ apis: ['Date'] })",
}
const helper = { path: 'packages/x/test/helper.ts', text: 'delete process.env.HOME' }

function shares(text: string): boolean {
  const files = [{ path: 'packages/x/test/a.test.ts', text }, helper]
  return shareable(['packages/x/test/a.test.ts'], files, readUses(files)).size === 1
}

for (const [what, text] of Object.entries(touching))
  test(`shareable: a file that ${what} has a process of its own`, () => assert.equal(shares(text), false))
for (const [what, text] of Object.entries(harmless))
  test(`shareable: a file that ${what} may share`, () => assert.equal(shares(text), true))

test('groupFiles: every file once, at most 25 in a process, those that run alone first', () => {
  const files = Array.from({ length: 60 }, (_, at) => `src/${at}.test.ts`)
  const groups = groupFiles(['alone.test.ts', ...files], new Set(files))
  assert.deepEqual(
    groups.map(({ length }) => length),
    [1, 25, 25, 10],
  )
  assert.equal(new Set(groups.flat()).size, 61)
})
