import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkManual, manualPages } from './check-command-manual.ts'

test('checkManual: finds a page that is missing and one that differs', async () => {
  const pages = new Map([
    ['a.md', 'one'],
    ['b.md', 'two'],
    ['c.md', 'three'],
  ])
  const found = checkManual(pages, (path) => ({ 'a.md': 'one', 'b.md': 'other' })[path])
  assert.deepEqual(
    found.map(({ path }) => path),
    ['b.md', 'c.md'],
  )
})

test('manualPages: every command has a section in both', async () => {
  const pages = await manualPages()
  assert.match(pages.get('docs/command.md') ?? '', /^### call\n\nCalls a tool\.\n/m)
  assert.match(pages.get('packages/cli/man/trunkline.1') ?? '', /^\.SS call\nCalls a tool\.\n/m)
})
