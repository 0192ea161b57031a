import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { inserter, numbersIn, openNumbers } from '../../test/store/numbers.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { Collected } from './collected.ts'

function opened() {
  const folder = temporaryFolder()
  const store = openNumbers(join(folder.path, 'a.db'))
  const insert = inserter(store)
  const seen: string[] = []
  const numbers = new Collected<number>(store, {
    write: (items) => {
      seen.push(`write ${items}`)
      for (const item of items) insert(item)
      return () => seen.push(`committed ${items}`)
    },
    failed: () => seen.push('failed'),
  })
  const close = async () => {
    await store.close()
    folder[Symbol.dispose]()
  }
  return { store, insert, numbers, seen, [Symbol.asyncDispose]: close }
}

test('Collected: items of one turn are written together at its end', async () => {
  await using host = opened()
  const added = [1, 2, 3].map((number) => host.numbers.add(number))
  assert.equal(new Set(added).size, 1)
  assert.deepEqual(host.seen, [])
  await added[0]
  await host.numbers.add(4)
  assert.deepEqual(host.seen, ['write 1,2,3', 'committed 1,2,3', 'write 4', 'committed 4'])
  assert.deepEqual(numbersIn(host.store), [1, 2, 3, 4])
})

test('Collected: items that cannot be written are taken back whole; the rest of the turn and the next turn stand', async () => {
  await using host = opened()
  const bad = [host.numbers.add(1), host.numbers.add(1)]
  const good = host.store.batch(() => host.insert(7))
  // added before any caller saw the failure, in a turn of its own
  const later = bad[0]?.catch(() => {}).then(() => host.numbers.add(2))
  await assert.rejects(Promise.all(bad), /UNIQUE/)
  await Promise.all([good, later])
  assert.deepEqual(numbersIn(host.store), [2, 7])
  assert.deepEqual(host.seen, ['write 1,1', 'failed', 'write 2', 'committed 2'])
})

test('Collected: a write that ends the transaction fails the turn, and the next turn is written', async () => {
  await using host = opened()
  host.store.database.exec(`CREATE TRIGGER full BEFORE INSERT ON number WHEN NEW.value = 1
    BEGIN SELECT RAISE(ROLLBACK, 'full'); END`)
  const early = host.store.batch(() => host.insert(7))
  await assert.rejects(host.numbers.add(1), /full/)
  await assert.rejects(early, /full/)
  await host.numbers.add(2)
  assert.deepEqual(numbersIn(host.store), [2])
})

test('Collected: an item added as the store closes is kept, and afterwards refused without being remembered', async () => {
  await using host = opened()
  const written = host.numbers.add(1)
  await host.store.close()
  await written
  await assert.rejects(host.numbers.add(2), /the store is closed/)
  await assert.rejects(host.numbers.add(3), /the store is closed/)
  assert.deepEqual(host.seen, ['write 1', 'committed 1', 'failed', 'failed'])
})
