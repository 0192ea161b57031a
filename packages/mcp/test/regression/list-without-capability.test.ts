import assert from 'node:assert/strict'
import { test } from 'node:test'
import { everyRevision } from '@trunkline/mcp/testing'
import { fresh } from './fresh.ts'

test('a list that the server does not offer is an error, not an empty list', async () => {
  await everyRevision(fresh(), async ({ client, transcript }) => {
    const before = transcript.lines.length
    const lists = [client.tools.list(), client.prompts.list(), client.resources.list(), client.resources.templates()]
    for (const list of lists) {
      await assert.rejects(list.all(), { code: 'Unsupported', outcome: 'NotSent', message: /does not offer/ })
    }
    assert.equal(transcript.lines.length, before)
  })
})
