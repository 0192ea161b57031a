import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { inserter, numbersIn, openNumbers } from '../../test/store/numbers.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { GroupCommit } from './group-commit.ts'

function numbersStore(maxBytes?: number) {
  const folder = temporaryFolder()
  const store = openNumbers(join(folder.path, 'a.db'), maxBytes)
  const close = async () => {
    await store.close()
    folder[Symbol.dispose]()
  }
  return { store, insert: inserter(store), [Symbol.asyncDispose]: close }
}

test('batch: the writes of a turn share one commit', async () => {
  await using opened = numbersStore()
  const { store, insert } = opened
  const writes = [1, 2, 3].map((value) => store.batch(() => insert(value)))
  assert.equal(new Set(writes).size, 1)
  await writes[0]
  const later = store.batch(() => insert(4))
  assert.notEqual(later, writes[0])
  await later
  assert.deepEqual(numbersIn(store), [1, 2, 3, 4])
})

test('batch: resolves after the commit, not before', async () => {
  await using opened = numbersStore()
  const { store, insert } = opened
  let settled = false
  const written = store
    .batch(() => insert(1))
    .then(() => {
      settled = true
    })
  await Promise.resolve()
  assert.equal(settled, false)
  await written
  // outside a transaction this throws
  assert.throws(() => store.database.exec('COMMIT'), /no transaction is active/)
})

test('batch: a write that throws is taken back whole; the others of the turn stand', async () => {
  await using opened = numbersStore()
  const { store, insert } = opened
  const first = store.batch(() => insert(1))
  const bad = store.batch(() => {
    insert(2)
    insert(1)
  })
  const last = store.batch(() => insert(3))
  await assert.rejects(bad, /UNIQUE/)
  await Promise.all([first, last])
  assert.deepEqual(numbersIn(store), [1, 3])
})

test('batch: an error of the writer is passed on as it is', async () => {
  await using opened = numbersStore()
  const reason = new Error('mine')
  await assert.rejects(
    opened.store.batch(() => {
      throw reason
    }),
    reason,
  )
})

test('batch: a full file fails with a sentence, keeps earlier commits, and takes writes again', async () => {
  await using opened = numbersStore(64 * 1024)
  const { store, insert } = opened
  await store.batch(() => insert(1))
  const early = store.batch(() => insert(2))
  const big = store.batch(() => Array.from({ length: 20_000 }, (_, at) => insert(100 + at)))
  await assert.rejects(big, { code: 'Full', message: /free some space, everything acknowledged so far is kept/ })
  await early.catch(() => {})
  await store.batch(() => insert(3))
  const left = numbersIn(store)
  assert.ok(left.includes(1) && left.includes(3) && left.every((value) => value < 100), `${left}`)
})

test('durable: the disk has it before it resolves, once for all of a turn', async () => {
  await using opened = numbersStore()
  const { store, insert } = opened
  const seen: string[] = []
  const commits = new GroupCommit(store.database, {
    sync: async () => {
      await nextTurn()
      seen.push('synced')
    },
    explain: (error) => error,
  })
  const quick = commits.batch(() => insert(1)).then(() => seen.push('committed'))
  const both = [commits.durable(() => insert(2)), commits.durable(() => insert(3))]
  await Promise.all([quick, ...both.map((one) => one.then(() => seen.push('durable')))])
  assert.deepEqual(seen, ['committed', 'synced', 'durable', 'durable'])
})

test('durable: a sync that fails rejects', async () => {
  await using opened = numbersStore()
  const { store, insert } = opened
  const broken = { sync: () => Promise.reject(new Error('EIO')), explain: (error: unknown) => error }
  const commits = new GroupCommit(store.database, broken)
  await assert.rejects(
    commits.durable(() => insert(1)),
    /EIO/,
  )
})

test('close: writes of the same turn are kept, also durable ones', async () => {
  await using opened = numbersStore()
  const { store, insert } = opened
  const written = [store.batch(() => insert(1)), store.durable(() => insert(2))]
  await store.close()
  await Promise.all(written)
})
