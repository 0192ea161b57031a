/** Duties of every store of tasks, as tests that run on any of them. */
import assert from 'node:assert/strict'
import type { StoredTask, TaskStore } from '../../src/stores/task-store.ts'
import type { On } from './stores-contract.ts'

const later = Date.now() + 3_600_000

/** A task as it is when it is created; `second` orders tasks by the time they were created. */
export function storedTask(id: string, more: Partial<StoredTask> & { readonly second?: number } = {}): StoredTask {
  const { second = 0, ...own } = more
  const createdAt = later - 3_600_000 + second * 1_000
  return { id, createdAt, updatedAt: createdAt, expiresAt: later, status: 'working', work: { name: id }, ...own }
}

const ids = (tasks: readonly StoredTask[]): readonly string[] => tasks.map(({ id }) => id)

/** Promises of every store of tasks. */
export function taskStoreContract(on: On<Required<TaskStore>>): void {
  on('gives back a task as it was kept, member by member', async (store) => {
    const task = storedTask('a', {
      principal: 'ann',
      statusMessage: 'on it',
      work: { name: 'é\u0000"', list: [1, null] },
    })
    assert.equal(await store.create(task, 10), true)
    assert.deepEqual(await store.load('a'), task)
    assert.equal(await store.load('b'), undefined)
    assert.equal(await store.load('__proto__'), undefined)
  })

  on('what is given away and changed there does not change here', async (store) => {
    await store.create(storedTask('a', { work: { list: [1] } }), 10)
    const loaded = (await store.load('a')) as unknown as { work: { list: number[] } }
    loaded.work.list.push(2)
    assert.deepEqual((await store.load('a'))?.work, { list: [1] })
  })

  on('changes what is changed and leaves the rest', async (store) => {
    const task = storedTask('a')
    await store.create(task, 10)
    assert.equal(await store.update('a', { updatedAt: 7, statusMessage: 'half way' }), true)
    assert.deepEqual(await store.load('a'), { ...task, updatedAt: 7, statusMessage: 'half way' })
    assert.equal(await store.update('b', { updatedAt: 7 }), false)
  })

  on('a task that has ended stays as it is', async (store) => {
    for (const status of ['completed', 'failed', 'cancelled'] as const) {
      await store.create(storedTask(status), 10)
      assert.equal(await store.update(status, { updatedAt: 7, status, outcome: { result: {} } }), true)
      assert.equal(await store.update(status, { updatedAt: 8, status: 'working' }), false)
      assert.equal(await store.update(status, { updatedAt: 8, status: 'cancelled' }), false)
      assert.equal(await store.write(status, { kind: 'effect', key: 'k', value: {} }), false)
      const { updatedAt, status: now, outcome } = (await store.load(status)) ?? assert.fail()
      assert.deepEqual([updatedAt, now, outcome], [7, status, { result: {} }])
    }
  })

  on('of many ends at the same time one counts', async (store) => {
    await store.create(storedTask('a'), 10)
    const ends = Array.from({ length: 10 }, (_, at) => store.update('a', { updatedAt: at, status: 'completed' }))
    assert.equal((await Promise.all(ends)).filter(Boolean).length, 1)
  })

  on(
    'of questions and answers the first counts, of effects the last, and each is kept by its kind and key',
    async (store) => {
      await store.create(storedTask('a'), 10)
      await store.create(storedTask('b'), 10)
      const write = (kind: 'question' | 'answer' | 'effect', key: string, n: number) =>
        store.write('a', { kind, key, value: { n } })
      assert.equal(await write('question', 'x', 1), true)
      assert.equal(await write('question', 'x', 2), false)
      assert.equal(await write('effect', 'x', 3), true)
      assert.equal(await write('answer', 'x', 4), true)
      assert.equal(await write('answer', 'x', 5), false)
      assert.equal(await write('effect', 'x', 6), true)
      assert.equal(await write('answer', 'a key with spaces', 7), true)
      assert.deepEqual(await store.entries('a'), [
        { kind: 'question', key: 'x', value: { n: 1 } },
        { kind: 'effect', key: 'x', value: { n: 6 } },
        { kind: 'answer', key: 'x', value: { n: 4 } },
        { kind: 'answer', key: 'a key with spaces', value: { n: 7 } },
      ])
      assert.deepEqual(await store.entries('b'), [])
      assert.equal(await store.write('c', { kind: 'answer', key: 'x', value: {} }), false)
      assert.deepEqual(await store.entries('c'), [])
    },
  )

  on('of many answers at the same time one counts', async (store) => {
    await store.create(storedTask('a'), 10)
    const answers = Array.from({ length: 10 }, (_, n) => store.write('a', { kind: 'answer', key: 'x', value: { n } }))
    assert.equal((await Promise.all(answers)).filter(Boolean).length, 1)
  })

  on('a task that has expired is gone', async (store) => {
    await store.create(storedTask('a', { principal: 'ann', expiresAt: Date.now() - 1 }), 10)
    await store.create(storedTask('b', { principal: 'ann', expiresAt: null }), 10)
    assert.equal(await store.load('a'), undefined)
    assert.equal(await store.update('a', { updatedAt: 7 }), false)
    assert.equal(await store.write('a', { kind: 'effect', key: 'x', value: {} }), false)
    assert.deepEqual(ids(await store.list('ann', 10)), ['b'])
    assert.deepEqual(ids(await store.unfinished(10)), ['b'])
  })

  on(
    'a principal has so many tasks and no more, whatever others have, and what expired does not count',
    async (store) => {
      assert.equal(await store.create(storedTask('a', { principal: 'ann' }), 2), true)
      assert.equal(await store.create(storedTask('b', { principal: 'ann', expiresAt: Date.now() - 1 }), 2), true)
      assert.equal(await store.create(storedTask('c', { principal: 'ann' }), 2), true)
      assert.equal(await store.create(storedTask('d', { principal: 'ann' }), 2), false)
      assert.equal(await store.create(storedTask('e', { principal: 'bob' }), 2), true)
      assert.equal(await store.create(storedTask('f'), 2), true)
      assert.equal(await store.load('d'), undefined)
      await store.drop('a')
      assert.equal(await store.create(storedTask('d', { principal: 'ann' }), 2), true)
    },
  )

  on('lists the tasks of one principal, or those without one, from the oldest, page by page', async (store) => {
    for (const [second, id] of ['d', 'b', 'c', 'a'].entries())
      await store.create(storedTask(id, { principal: 'ann', second }), 10)
    await store.create(storedTask('x', { principal: 'bob' }), 10)
    await store.create(storedTask('y'), 10)
    const first = await store.list('ann', 3)
    assert.deepEqual(ids(first), ['d', 'b', 'c'])
    assert.deepEqual(ids(await store.list('ann', 3, first[2])), ['a'])
    assert.deepEqual(ids(await store.list(undefined, 3)), ['y'])
    assert.deepEqual(ids(await store.list('nobody', 3)), [])
  })

  on('goes on in a list after a task that is gone, and among tasks of the same instant', async (store) => {
    for (const id of ['b', 'a', 'd', 'c']) await store.create(storedTask(id), 10)
    const [, second] = await store.list(undefined, 2)
    await store.drop(second?.id ?? '')
    assert.deepEqual(ids(await store.list(undefined, 2, second)), ['c', 'd'])
  })

  on('knows which tasks have not ended', async (store) => {
    for (const [second, id] of ['a', 'b', 'c'].entries()) await store.create(storedTask(id, { second }), 10)
    await store.update('b', { updatedAt: 7, status: 'failed' })
    const [first] = await store.unfinished(1)
    assert.equal(first?.id, 'a')
    assert.deepEqual(ids(await store.unfinished(10, first)), ['c'])
  })

  on('leaves nothing of what is dropped', async (store) => {
    await store.create(storedTask('a'), 10)
    await store.write('a', { kind: 'answer', key: 'x', value: {} })
    await store.drop('a')
    await store.drop('never there')
    assert.equal(await store.load('a'), undefined)
    await store.create(storedTask('a'), 10)
    assert.deepEqual(await store.entries('a'), [])
  })
}
