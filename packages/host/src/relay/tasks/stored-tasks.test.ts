import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { StoredTask } from '@trunkline/mcp/tasks'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { openStore } from '../../store/store.ts'
import { taskTables } from '../../store/tables/task-table.ts'
import { StoredTasks } from './stored-tasks.ts'

function opened() {
  const folder = temporaryFolder()
  const store = openStore({ path: join(folder.path, 'a.db'), rooms: [taskTables] })
  return {
    tasks: (place = '/mcp') => new StoredTasks(store, place),
    async [Symbol.asyncDispose]() {
      await store.close()
      folder[Symbol.dispose]()
    },
  }
}

const task = (id: string, more: Partial<StoredTask> = {}): StoredTask => ({
  id,
  principal: 'ann',
  status: 'working',
  createdAt: 1,
  updatedAt: 1,
  expiresAt: null,
  work: { name: 'render' },
  ...more,
})

describe('StoredTasks', () => {
  for (const ended of ['completed', 'failed', 'cancelled'] as const) {
    it(`a task that is ${ended} changes no more, and nothing is written beside it`, async () => {
      await using at = opened()
      const tasks = at.tasks()
      assert.equal(await tasks.create(task('a'), 10), true)
      assert.equal(await tasks.write('a', { kind: 'effect', key: 'k', value: { count: 1 } }), true)
      assert.equal(await tasks.update('a', { updatedAt: 2, status: ended }), true)
      for (const status of ['working', 'completed', 'failed', 'cancelled'] as const)
        assert.equal(await tasks.update('a', { updatedAt: 3, status }), false, status)
      assert.equal(await tasks.update('a', { updatedAt: 3, statusMessage: 'late' }), false)
      assert.equal(await tasks.write('a', { kind: 'effect', key: 'k', value: { count: 2 } }), false)
      assert.equal(tasks.load('a')?.status, ended)
      assert.equal(tasks.load('a')?.statusMessage, undefined)
      assert.deepEqual(tasks.entries('a'), [{ kind: 'effect', key: 'k', value: { count: 1 } }])
    })
  }

  it('a task is found at its own address, by its own principal, until it expires', async () => {
    await using at = opened()
    const tasks = at.tasks()
    await tasks.create(task('a'), 10)
    await tasks.create(task('old', { expiresAt: Date.now() - 1 }), 10)
    assert.equal(at.tasks('/mcp/server/one').load('a'), undefined)
    assert.equal(tasks.load('old'), undefined)
    assert.deepEqual(
      tasks.list('ann', 10).map(({ id }) => id),
      ['a'],
    )
    assert.deepEqual(tasks.list('bob', 10), [])
    assert.deepEqual(
      tasks.unfinished(10).map(({ id }) => id),
      ['a'],
    )
  })

  it('no principal has more tasks than it may, at all addresses together', async () => {
    await using at = opened()
    assert.equal(await at.tasks().create(task('a'), 2), true)
    assert.equal(await at.tasks('/mcp/server/one').create(task('b'), 2), true)
    assert.equal(await at.tasks().create(task('c'), 2), false)
    assert.equal(await at.tasks().create(task('d', { principal: 'bob' }), 2), true)
  })
})
