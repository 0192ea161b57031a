import assert from 'node:assert/strict'
import { test } from 'node:test'
import { everyRevision } from '@trunkline/mcp/testing'
import { Mailbox } from '../mailbox.ts'
import { fresh } from './fresh.ts'

test('a resource can be watched without a handler of the author', async () => {
  const news = fresh().resource('test:news', {}, () => 'nothing new')
  await everyRevision(news, async ({ client }) => {
    assert.equal(client.capabilities.resources?.subscribe, true)
    const updates = new Mailbox<string>()
    const watching = await client.resources.watch('test:news', updates.put)
    news.resources.updated('test:other')
    news.resources.updated('test:news')
    assert.equal(await updates.take(), 'test:news')
    await watching.close()
    await client.ping()
    news.resources.updated('test:news')
    await client.ping()
    assert.equal(updates.size, 0)
  })
})
