import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkErrors } from './check-errors.ts'
import { described, sample } from './lib/sample.ts'

const code = `export type McpErrorCode =
  | 'Busy'
  | 'Closed'

export const ParseError = -32700
`

function withGuide(guide: string, source = code) {
  return sample({ 'packages/mcp/src/wire/errors.ts': source, 'docs/errors.md': guide })
}

test('checkErrors: one heading per code passes', () => {
  assert.deepEqual(checkErrors(withGuide('# Errors\n### Busy\n### Closed\n### ParseError (-32700)\n')), [])
})

test('checkErrors: a missing heading, a wrong number and a heading without a code are problems', () => {
  assert.deepEqual(described(checkErrors(withGuide('### Busy\n### ParseError (-32701)\n### Gone\n'))), [
    'docs/errors.md: Missing the heading "### Closed"',
    'docs/errors.md: Missing the heading "### ParseError (-32700)"',
    'docs/errors.md:2: No error code is "ParseError (-32701)"',
    'docs/errors.md:3: No error code is "Gone"',
  ])
})

test('checkErrors: a source without codes is a problem, never a pass', () => {
  assert.deepEqual(described(checkErrors(withGuide('', ''))), [
    'packages/mcp/src/wire/errors.ts: Cannot check the error codes: none found',
  ])
})
