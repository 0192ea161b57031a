import assert from 'node:assert/strict'
import { join } from 'node:path'
import { visit } from './client.ts'

const said = await visit(join(import.meta.dirname, 'server.ts'))
assert.deepEqual(said[0], { euros: 4 })
// the output is the same before and after
for (const before of ['before/sdk-v1.ts', 'before/sdk-v2.ts']) {
  assert.deepEqual(await visit(join(import.meta.dirname, before)), said, before)
}
console.log(said)
