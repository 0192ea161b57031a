import assert from 'node:assert/strict'
import { test } from 'node:test'
import { everyRevision, join, revisions } from '@trunkline/mcp/testing'
import { Mailbox } from '../mailbox.ts'
import { fresh } from './fresh.ts'

for (const revision of revisions) {
  test(`offers made while clients are connected are told of, listed and used, ${revision}`, async () => {
    const growing = fresh().tool('first', {}, () => 'first')
    await using both = await join(growing, { revisions: [revision] })
    const changes = new Mailbox<string>()
    await using _watching = await both.client.watch({ tools: true }, ({ kind }) => changes.put(kind))
    growing.tool('second', {}, () => 'second')
    assert.equal(await changes.take(), 'tools')
    assert.deepEqual(
      (await both.client.tools.list().all()).map(({ name }) => name),
      ['first', 'second'],
    )
    growing.tools.remove('second')
    assert.equal(await changes.take(), 'tools')
    assert.deepEqual(
      (await both.client.tools.list().all()).map(({ name }) => name),
      ['first'],
    )
  })
}

test('the very first offer of a kind can be made while clients are connected', async () => {
  const empty = fresh({ declare: ['tools', 'prompts', 'resources'] })
  let made = 0
  await everyRevision(empty, async ({ client }) => {
    assert.equal((await client.tools.list().all()).length, made)
    made += 1
    empty.tool(`t${made}`, {}, () => 'late')
    empty.prompt(`p${made}`, {}, () => 'late')
    empty.resource(`test:${made}`, {}, () => 'late')
    assert.equal((await client.tools.list().all()).length, made)
    assert.equal((await client.prompts.list().all()).length, made)
    assert.equal((await client.resources.list().all()).length, made)
  })
})

test('an offer of a kind that was not declared does not throw, and is there for those who connect later', async () => {
  const empty = fresh()
  await using early = await join(empty)
  empty.tool('late', {}, () => 'late')
  await using later = await join(empty)
  assert.equal(early.client.capabilities.tools, undefined)
  assert.deepEqual(
    (await later.client.tools.list().all()).map(({ name }) => name),
    ['late'],
  )
})
