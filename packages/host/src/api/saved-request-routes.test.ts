import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { openStore } from '../store/store.ts'
import { SavedRequestTable, savedRequestTables } from '../store/tables/saved-request-table.ts'
import type { RouteContext } from './route.ts'
import { savedRequestRoutes } from './saved-request-routes.ts'
import type { RouteServices } from './services.ts'

const context = { signal: new AbortController().signal, isPage: true } as RouteContext
const of = { server: 'orders', tool: 'find' }

test('saved requests: each tool has its own, by name, without secrets and within limits', async () => {
  using folder = temporaryFolder()
  await using store = openStore({ path: join(folder.path, 'a.db'), rooms: [savedRequestTables] })
  const { savedRequests, saveRequest, removeRequest } = savedRequestRoutes
  const services = { host: { store }, savedRequests: new SavedRequestTable(store) } as unknown as RouteServices
  const save = async (name: string, given: Record<string, unknown>, tool = 'find') =>
    saveRequest.handle({ ...of, tool, name, arguments: given }, services, context)
  await save('two', { id: 2 })
  await save('one', { id: 1, password: 'hunter2' })
  await save('two', { id: 22 })
  const kept = async (tool = 'find') => {
    const { items } = await savedRequests.handle({ ...of, tool }, services, context)
    return items.map(({ name, arguments: given }) => [name, given])
  }
  assert.deepEqual(await kept(), [
    ['one', { id: 1, password: '[masked]' }],
    ['two', { id: 22 }],
  ])
  assert.deepEqual(await kept('other'), [])
  await assert.rejects(save('large', { text: 'x'.repeat(65_536) }), /more than 64 KiB/)
  await removeRequest.handle({ ...of, name: 'one' }, services, context)
  await assert.rejects(
    async () => removeRequest.handle({ ...of, name: 'one' }, services, context),
    /There is no saved request "one"/,
  )
  for (let index = 0; index < 99; index++) await save(`n${index}`, {})
  await assert.rejects(save('too many', {}), /100 requests of "find" are saved; remove one first/)
  for (let index = 0; index < 900; index++) await save('same', {}, `tool ${index}`)
  await assert.rejects(save('too many', {}, 'another tool'), /1000 requests are saved; remove one first/)
  await save('same', { id: 1 }, 'tool 0')
})
