import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkEngines } from './check-engines.ts'
import { described } from './lib/sample.ts'
import { publishedEngines } from './lib/supported.ts'

const wants = (node: string) => ({ path: 'packages/x/package.json', text: JSON.stringify({ engines: { node } }) })

test('checkEngines: a package of the workspace says what a developer needs', () => {
  assert.deepEqual(checkEngines([wants('>=20.19')]), [])
  assert.deepEqual(described(checkEngines([wants('>=22.13')])), [
    'packages/x/package.json: Wants Node >=22.13: say >=20.19 here, and what users need in tools/lib/supported.ts',
  ])
})

test('publishedEngines: what users need', () => {
  assert.deepEqual(publishedEngines('trunkline'), { node: '>=22.13' })
  assert.deepEqual(publishedEngines('@trunkline/mcp'), { node: '>=20.19' })
})
