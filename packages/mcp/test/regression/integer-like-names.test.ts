import assert from 'node:assert/strict'
import { test } from 'node:test'
import { everyRevision } from '@trunkline/mcp/testing'
import { fresh } from './fresh.ts'

test('names that look like numbers stay in the order they were offered', async () => {
  const names = ['b', '10', 'a', '9', '-1', '01']
  const ordered = fresh()
  for (const name of names) ordered.tool(name, {}, () => name).prompt(name, {}, () => name)
  await everyRevision(ordered, async ({ client }) => {
    assert.deepEqual(
      (await client.tools.list().all()).map(({ name }) => name),
      names,
    )
    assert.deepEqual(
      (await client.prompts.list().all()).map(({ name }) => name),
      names,
    )
  })
})
