import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readList } from './scenarios.ts'

const listed = `Client scenarios (test against a client):
  - tools_call [2025-06-18,2026-07-28]
  - auth/dpop [extension]
`

test('readList: every scenario with the revisions it applies to', () => {
  assert.deepEqual(readList(listed, 'client'), [
    { side: 'client', name: 'tools_call', revisions: ['2025-06-18', '2026-07-28'] },
    { side: 'client', name: 'auth/dpop', revisions: ['extension'] },
  ])
})

test('readList: a list without scenarios is an error, since nothing would be tested', () => {
  assert.throws(() => readList('Client scenarios (test against a client):\n', 'client'), /the suite lists none/)
})
