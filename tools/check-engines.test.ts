import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkEngines } from './check-engines.ts'
import { described } from './lib/sample.ts'

const readme = (text: string) => ({ path: 'README.md', text })
const wants = (node: string) => ({ path: 'packages/x/package.json', text: JSON.stringify({ engines: { node } }) })

test('checkEngines: a package for a newer Node has to be explained by its release', () => {
  assert.deepEqual(checkEngines([readme(''), wants('>=20.19')]), [])
  assert.deepEqual(checkEngines([readme('`EBADENGINE` for Node 22.13 is harmless'), wants('>=22.13')]), [])
  for (const text of ['', '`EBADENGINE` for Node 22.12 is harmless']) {
    assert.deepEqual(described(checkEngines([readme(text), wants('>=22.13')])), [
      'packages/x/package.json: Wants Node >=22.13: say beside EBADENGINE in README.md that "Node 22.13" is harmless',
    ])
  }
})
