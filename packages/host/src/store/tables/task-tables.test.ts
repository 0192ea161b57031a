import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, mock } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { StoredTask } from '@trunkline/mcp/tasks'
import { storesContract } from '../../../../mcp/test/stores/stores-contract.ts'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { openStore } from '../store.ts'
import { allTables } from './all-tables.ts'
import { tasksAt, taskTables } from './task-tables.ts'

function opened() {
  const folder = temporaryFolder()
  const store = openStore({ path: join(folder.path, 'a.db'), rooms: [taskTables] })
  return {
    tasks: (address = '/mcp') => tasksAt(address, store),
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

storesContract({
  name: 'the store of the host',
  has: ['tasks'],
  make: () => {
    const at = opened()
    return { stores: { tasks: at.tasks() }, [Symbol.asyncDispose]: () => at[Symbol.asyncDispose]() }
  },
})

describe('tasksAt', () => {
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
      assert.equal((await tasks.load('a'))?.status, ended)
      assert.equal((await tasks.load('a'))?.statusMessage, undefined)
      assert.deepEqual(await tasks.entries('a'), [{ kind: 'effect', key: 'k', value: { count: 1 } }])
    })
  }

  it('a task is found at its own address, by its own principal, until it expires', async () => {
    await using at = opened()
    const tasks = at.tasks()
    await tasks.create(task('a'), 10)
    await tasks.create(task('old', { expiresAt: Date.now() - 1 }), 10)
    assert.equal(await at.tasks('/mcp/server/one').load('a'), undefined)
    assert.equal(await tasks.load('old'), undefined)
    assert.deepEqual(
      (await tasks.list('ann', 10)).map(({ id }) => id),
      ['a'],
    )
    assert.deepEqual(await tasks.list('bob', 10), [])
    assert.deepEqual(
      (await tasks.unfinished(10)).map(({ id }) => id),
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

describe('a store of version 0.1.0, opened today', () => {
  const fixture = join(import.meta.dirname, '../../../test/store/fixtures/tasks-0.1.0.db.gz')
  /** Principals of the fixture. */
  const [ann, bob] = ['cFSkCQ23bcGW', 'zbgTIxMkImCj']
  /** A moment after the fixture was written: its tasks expire in an hour. */
  const madeAt = 1_794_943_448_000

  it('has its tasks: states, results, questions, answers and addresses', async () => {
    using folder = temporaryFolder()
    const path = join(folder.path, 'trunkline.db')
    writeFileSync(path, gunzipSync(readFileSync(fixture)), { mode: 0o600 })
    mock.method(Date, 'now', () => madeAt)
    try {
      await using store = openStore({ path, rooms: allTables })
      const tasks = tasksAt('/mcp', store)
      const [rendered = assert.fail(), named = assert.fail(), cancelled, running] = await tasks.list(ann, 10)
      assert.deepEqual(
        [rendered, named, cancelled, running].map((one) => one?.status),
        ['completed', 'completed', 'cancelled', 'working'],
      )
      const { work, ...rest } = rendered
      assert.deepEqual(rest, {
        id: 'kL2BAYALWKQ5oGJud_ZiWeXmt9IgIgnS',
        principal: ann,
        createdAt: 1_794_943_446_275,
        updatedAt: 1_794_943_446_305,
        expiresAt: 1_794_947_046_275,
        status: 'completed',
        statusMessage: 'renders Metropolis "é" \n',
        outcome: { result: { content: [{ type: 'text', text: 'rendered Metropolis "é" \n' }] } },
      })
      assert.deepEqual((work.params as { readonly arguments: object }).arguments, { title: 'Metropolis "é" \n' })
      const entries = await tasks.entries(named.id)
      assert.deepEqual(
        entries.map(({ kind, key }) => [kind, key]),
        ['question', 'answer'].map((kind) => [kind, 'elicitation-bww97mqbbjp8']),
      )
      assert.deepEqual(entries[1]?.value, { action: 'accept', content: { name: 'Ann' } })
      assert.deepEqual(await tasks.list(bob, 10), [])
      assert.equal((await tasksAt('/mcp/server/studio', store).list(bob, 10)).length, 1)
    } finally {
      mock.restoreAll()
    }
  })

  it('has a task of an unknown caller that never expires, which is resumed', async () => {
    using folder = temporaryFolder()
    const path = join(folder.path, 'trunkline.db')
    writeFileSync(path, gunzipSync(readFileSync(fixture)), { mode: 0o600 })
    await using store = openStore({ path, rooms: allTables })
    const tasks = tasksAt('/mcp', store)
    const [kept = assert.fail(), ...others] = (await tasks.unfinished(10)).filter((one) => one.expiresAt === null)
    assert.deepEqual([kept.id, kept.principal, others.length], ['kept-for-ever', undefined, 0])
    assert.deepEqual(await tasks.list(undefined, 10), [kept])
    assert.deepEqual(await tasks.entries(kept.id), [{ kind: 'effect', key: 'a "key"', value: { state: 'begun' } }])
    assert.equal(await tasks.update(kept.id, { updatedAt: madeAt, status: 'failed' }), true)
  })
})
