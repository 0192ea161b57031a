import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { addressesModule } from './write-addresses.ts'

test('addresses: made of the routes (node packages/host/src/api/write-addresses.ts)', () => {
  assert.equal(readFileSync(join(import.meta.dirname, 'addresses.ts'), 'utf8'), addressesModule())
})
