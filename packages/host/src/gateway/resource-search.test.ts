import assert from 'node:assert/strict'
import { join } from 'node:path'
import { it } from 'node:test'
import { RpcError } from '@trunkline/mcp'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { Refused } from '../act/refused.ts'
import type { Doing } from '../acts/doing.ts'
import { Catalogue } from '../catalogue/catalogue.ts'
import { openStore } from '../store/store.ts'
import { catalogueTables } from '../store/tables/catalogue-tables.ts'
import { ResourceOwners } from './owner.ts'
import { ResourceSearch, type ResourceSearchLimits } from './resource-search.ts'
import { aggregateView } from './view.ts'

/** A search among five servers, which note when they are asked. */
function searching(limits: ResourceSearchLimits, answer: (server: string) => Error) {
  const folder = temporaryFolder()
  const store = openStore({ path: join(folder.path, 'a.db'), rooms: [catalogueTables] })
  const catalogue = new Catalogue(store)
  const asked: string[] = []
  const stack = async ({ act }: Doing) => {
    asked.push(act.server)
    throw answer(act.server)
  }
  const search = new ResourceSearch({ catalogue, owners: new ResourceOwners(catalogue), stack, limits })
  const view = aggregateView(() => ['a', 'b', 'c', 'd', 'e'])
  const doing = { act: {}, call: { signal: new AbortController().signal } } as unknown as Doing
  return {
    asked,
    search,
    find: (uri: string) => search.reading(uri, view)(doing),
    async [Symbol.asyncDispose]() {
      await store.close()
      folder[Symbol.dispose]()
    },
  }
}

it('ResourceSearch asks no more servers than the limit', async () => {
  await using one = searching({ maxServersAsked: 3 }, () => new RpcError(-32002, 'not here'))
  await assert.rejects(one.find('x:1'), /no server here has it/)
  assert.deepEqual(one.asked, ['a', 'b', 'c'])
})

it('ResourceSearch remembers no more addresses without a server than the limit', async () => {
  await using one = searching({ maxMissing: 2 }, () => new RpcError(-32602, 'not here'))
  for (const uri of ['x:1', 'x:2', 'x:3']) await assert.rejects(one.find(uri))
  assert.equal(one.search.missing, 2)
  one.asked.length = 0
  await assert.rejects(one.find('x:3'))
  assert.deepEqual(one.asked, [])
  await assert.rejects(one.find('x:1'))
  assert.equal(one.asked.length, 5)
})

it('ResourceSearch goes on where the policy denies, and waits where a person is asked', async () => {
  await using denied = searching({}, (server) =>
    server === 'a' ? new Refused('denied', 'no') : new Refused('waiting', 'wait'),
  )
  await assert.rejects(denied.find('x:1'), /wait/)
  assert.deepEqual(denied.asked, ['a', 'b'])
})
