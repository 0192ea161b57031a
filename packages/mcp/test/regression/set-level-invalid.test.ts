import assert from 'node:assert/strict'
import { test } from 'node:test'
import { join, revisions } from '@trunkline/mcp/testing'
import { fresh } from './fresh.ts'

const withLevels = revisions.filter((revision) => revision < '2026-07-28')

for (const revision of withLevels) {
  test(`a log level that does not exist is refused as a bad parameter, ${revision}`, async () => {
    await using both = await join(fresh(), { revisions: [revision] })
    await assert.rejects(both.client.request('logging/setLevel', { level: 'loud' }), {
      code: -32602,
      message: /params\.level/,
    })
  })
}
