import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { openStore } from '../store/store.ts'
import { catalogueTables } from '../store/tables/catalogue-tables.ts'
import { UriOwners } from './uri-owners.ts'

test('UriOwners: the first owns an address, also after a restart, until it is removed', async () => {
  using folder = temporaryFolder()
  const open = () => openStore({ path: join(folder.path, 'a.db'), rooms: [catalogueTables] })
  {
    await using store = open()
    const owners = new UriOwners(store)
    assert.deepEqual([owners.claim('resource', 'a:1', 'one'), owners.claim('resource', 'a:1', 'two')], [true, false])
    assert.equal(owners.claim('template', 'a:1', 'two'), true)
  }
  await using store = open()
  const owners = new UriOwners(store)
  assert.deepEqual([owners.ownerOf('resource', 'a:1'), owners.ownerOf('template', 'a:1')], ['one', 'two'])
  await owners.keepOnly(new Set(['two']))
  assert.equal(owners.claim('resource', 'a:1', 'two'), true)
  assert.equal(new UriOwners(store).ownerOf('resource', 'a:1'), 'two')
})

test('UriOwners: a server owns no more than the limit, and keeps others from nothing', async () => {
  using folder = temporaryFolder()
  await using store = openStore({ path: join(folder.path, 'a.db'), rooms: [catalogueTables] })
  const owners = new UriOwners(store, { maxOwnedPerServer: 2 })
  const claimed = ['a', 'b', 'c'].map((text) => owners.claim('resource', text, 'greedy'))
  assert.deepEqual(claimed, [true, true, false])
  assert.equal(owners.claim('resource', 'c', 'modest'), true)
  assert.equal(store.database.prepare('SELECT count(*) AS count FROM catalogue_owner').get()?.count, 3)
})

test('UriOwners: a project knows nothing of addresses owned in another', async () => {
  using folder = temporaryFolder()
  await using store = openStore({ path: join(folder.path, 'a.db'), rooms: [catalogueTables] })
  const owners = new UriOwners(store)
  assert.equal(owners.claim('resource', 'a', 'one@1', '/shop'), true)
  assert.equal(owners.claim('resource', 'a', 'two', '/blog'), true)
  assert.equal(owners.claim('resource', 'a', 'three'), true)
  assert.deepEqual([owners.ownerOf('resource', 'a', '/shop'), owners.ownerOf('resource', 'a')], ['one@1', 'three'])
})

test('UriOwners: claims of an unused project make room, on the disk as well', async () => {
  using folder = temporaryFolder()
  await using store = openStore({ path: join(folder.path, 'a.db'), rooms: [catalogueTables] })
  const owners = new UriOwners(store, { maxOwned: 3 })
  for (const text of ['a', 'b']) owners.claim('resource', text, 'one', '/old')
  owners.claim('resource', 'a', 'one', '/new')
  assert.equal(owners.claim('resource', 'b', 'one', '/new'), true)
  assert.equal(owners.ownerOf('resource', 'a', '/old'), undefined)
  assert.deepEqual(
    ['c', 'd'].map((text) => owners.claim('resource', text, 'one', '/new')),
    [true, false],
  )
  await store.batch(() => {})
  assert.equal(store.database.prepare('SELECT count(*) AS count FROM catalogue_owner').get()?.count, 3)
})
