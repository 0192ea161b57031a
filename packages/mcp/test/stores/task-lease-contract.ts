import assert from 'node:assert/strict'
import type { TaskStore } from '../../src/stores/task-store.ts'
import type { On } from './stores-contract.ts'
import { storedTask } from './task-store-contract.ts'

const ann = { owner: 'ann "1"', leaseMs: 60_000 }
const bob = { owner: 'bob', leaseMs: 60_000 }
/** A lease that is over as soon as it is taken. */
const gone = { owner: 'gone', leaseMs: 0 }

/** Promises of every store of tasks about owners, leases and fences. */
export function taskLeaseContract(on: On<Required<TaskStore>>): void {
  const unowned = async (store: Required<TaskStore>) => (await store.unowned(10)).map(({ id }) => id)

  on('a task is taken by one process, which gets the same fence when it asks again', async (store) => {
    await store.create(storedTask('a'), 10)
    const claims = await Promise.all(['1', '2', '3'].map((owner) => store.claim('a', { ...ann, owner })))
    assert.equal(claims.filter((claim) => claim !== undefined).length, 1)
    const owner = `${claims.findIndex((claim) => claim !== undefined) + 1}`
    const first = claims.find((claim) => claim !== undefined)
    assert.deepEqual(await store.claim('a', { ...ann, owner }), first)
    assert.equal(await store.claim('a', bob), undefined)
    assert.equal(await store.claim('b', bob), undefined)
  })

  on('a new task belongs to its creator from the start', async (store) => {
    const entries = [{ kind: 'effect', key: 'pay', value: { n: 1 } }] as const
    const lease = await store.createOwned(storedTask('a', { principal: 'x' }), { ...ann, mostOfPrincipal: 1, entries })
    assert.equal(lease?.fence, 1)
    assert.deepEqual(await store.entries('a'), entries)
    assert.equal(await store.claim('a', bob), undefined)
    assert.deepEqual(await unowned(store), [])
    assert.equal(await store.renew('a', 1, 60_000), lease?.version)
    const second = store.createOwned(storedTask('b', { principal: 'x' }), { ...ann, mostOfPrincipal: 1 })
    assert.equal(await second, undefined)
    assert.equal(await store.load('b'), undefined)
  })

  on('a lease that is over can be taken with a higher fence, and is not renewed', async (store) => {
    const { fence } = (await store.createOwned(storedTask('a'), { ...gone, mostOfPrincipal: 9 })) ?? assert.fail()
    assert.equal(await store.renew('a', fence, 60_000), undefined)
    assert.deepEqual(await unowned(store), ['a'])
    const next = (await store.claim('a', bob)) ?? assert.fail()
    assert.ok(next.fence > fence)
    assert.deepEqual(await unowned(store), [])
    assert.equal(await store.renew('a', fence, 60_000), undefined)
    assert.equal(await store.release('a', fence), false)
    assert.equal(await store.renew('a', next.fence, 60_000), next.version)
  })

  on('writes with the fence of an earlier owner are refused, and those without a fence are not', async (store) => {
    const { fence: old } = (await store.createOwned(storedTask('a'), { ...gone, mostOfPrincipal: 9 })) ?? assert.fail()
    const { fence } = (await store.claim('a', bob)) ?? assert.fail()
    const effect = (n: number) => ({ kind: 'effect', key: 'pay', value: { n } }) as const
    assert.equal(await store.write('a', effect(1), old), false)
    assert.equal(await store.update('a', { updatedAt: 7, status: 'completed' }, old), false)
    assert.equal(await store.write('a', effect(2), fence), true)
    assert.equal(await store.write('a', { kind: 'answer', key: 'q', value: {} }), true)
    assert.deepEqual((await store.entries('a'))[0], effect(2))
    assert.equal(await store.update('a', { updatedAt: 7, statusMessage: 'on it' }, fence), true)
    assert.equal(await store.update('a', { updatedAt: 8, status: 'cancelled' }), true)
    assert.equal(await store.update('a', { updatedAt: 9, status: 'completed' }, fence), false)
    assert.equal((await store.load('a'))?.status, 'cancelled')
  })

  on('a released task can be taken at once, and takes no more of the one who released it', async (store) => {
    const { fence } = (await store.createOwned(storedTask('a'), { ...ann, mostOfPrincipal: 9 })) ?? assert.fail()
    assert.equal(await store.release('a', fence), true)
    assert.equal(await store.release('a', fence), false)
    assert.equal(await store.renew('a', fence, 60_000), undefined)
    assert.equal(await store.update('a', { updatedAt: 7 }, fence), false)
    const next = (await store.claim('a', ann)) ?? assert.fail()
    assert.ok(next.fence > fence, 'also by the same process')
  })

  on('the version grows with what others write, so that the owner learns of it when it renews', async (store) => {
    const { fence, version } =
      (await store.createOwned(storedTask('a'), { ...ann, mostOfPrincipal: 9 })) ?? assert.fail()
    assert.equal(await store.renew('a', fence, 60_000), version)
    await store.write('a', { kind: 'answer', key: 'q', value: {} })
    const answered = (await store.renew('a', fence, 60_000)) ?? assert.fail()
    assert.ok(answered > version)
    assert.equal(await store.write('a', { kind: 'answer', key: 'q', value: {} }), false)
    assert.equal(await store.renew('a', fence, 60_000), answered, 'a second answer changes nothing')
    await store.update('a', { updatedAt: 7, status: 'cancelled' })
    assert.ok(((await store.renew('a', fence, 60_000)) ?? assert.fail()) > answered)
  })

  on('lists what no process has, oldest first, and nothing that has ended or expired', async (store) => {
    for (const [second, id] of ['d', 'b', 'c', 'a'].entries()) await store.create(storedTask(id, { second }), 10)
    await store.create(storedTask('expired', { expiresAt: Date.now() - 1 }), 10)
    await store.claim('b', ann)
    await store.update('c', { updatedAt: 7, status: 'failed' })
    assert.deepEqual(await unowned(store), ['d', 'a'])
    const [first] = await store.unowned(1)
    assert.deepEqual(
      (await store.unowned(1, first)).map(({ id }) => id),
      ['a'],
    )
    assert.equal(await store.claim('c', ann), undefined)
    assert.equal(await store.claim('expired', ann), undefined)
  })
}
